import { describe, expect, it } from 'vitest'
import { Conflict } from '../../../src/vocabulary/conflict.js'
import {
  closedOut,
  type LifecycleState,
  nextStatuses,
  type Status,
  startsDowntime,
  statuses,
  transition,
  verification,
} from '../../../src/vocabulary/lifecycle.js'

const earlier = new Date('2026-03-01T08:00:00Z')
const now = new Date('2026-03-01T12:00:00Z')

function incident(status: Status, given: Partial<LifecycleState> = {}): LifecycleState {
  const done = status === 'resolved' || status === 'verified'
  return {
    id: 1,
    status,
    acknowledgedAt: status === 'open' ? null : earlier,
    resolvedAt: done ? earlier : null,
    verifiedAt: status === 'verified' ? earlier : null,
    mergedIntoId: null,
    createdAt: new Date(0),
    downtimeStartedAt: null,
    ...given,
  }
}

const refusal = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return error instanceof Conflict ? error.code : error
  }
  return null
}

describe('staff status updates', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))

  it.each(pairs)('%s → %s', (from, to) => {
    if (from === to) expect(transition(incident(from), to, now)).toBeNull()
    else if (from === 'verified')
      expect(refusal(() => transition(incident(from), to, now))).toBe('incident_verified')
    else expect(transition(incident(from), to, now)?.status).toBe(to)
  })

  it('stamps acknowledgedAt at the first transition past open', () => {
    expect(transition(incident('open'), 'resolved', now)).toEqual({
      status: 'resolved',
      acknowledgedAt: now,
      resolvedAt: now,
      verifiedAt: null,
    })
  })

  it('never changes acknowledgedAt again, not even by way of open', () => {
    const reopened = transition(incident('in_progress'), 'open', now)!
    expect(reopened.acknowledgedAt).toBe(earlier)
    expect(transition({ ...incident('open'), ...reopened }, 'acknowledged', now)?.acknowledgedAt).toBe(
      earlier,
    )
  })

  it('keeps resolvedAt from resolved to verified, and clears it on going back', () => {
    expect(transition(incident('resolved'), 'verified', now)?.resolvedAt).toBe(earlier)
    expect(transition(incident('resolved'), 'in_progress', now)?.resolvedAt).toBeNull()
  })

  it('refuses a merged duplicate with the pointer to its survivor', () => {
    const duplicate = incident('verified', { mergedIntoId: 7 })
    expect(() => transition(duplicate, 'open', now)).toThrow(
      expect.objectContaining({ details: { mergedInto: 7 } }),
    )
    expect(nextStatuses(duplicate)).toEqual([])
  })

  it('offers what it accepts', () => {
    for (const from of statuses) {
      const accepted = statuses.filter(
        (to) => refusal(() => transition(incident(from), to, now)) === null && to !== from,
      )
      expect([...nextStatuses(incident(from))].sort()).toEqual([...accepted].sort())
    }
  })
})

describe('verification', () => {
  it('closes a resolved incident for good', () => {
    expect(verification(incident('resolved'), true, now)).toEqual({
      status: 'verified',
      acknowledgedAt: earlier,
      resolvedAt: earlier,
      verifiedAt: now,
    })
  })

  it('reopens it when it is not fixed', () => {
    expect(verification(incident('resolved'), false, now)).toMatchObject({
      status: 'in_progress',
      resolvedAt: null,
    })
  })

  it.each(['open', 'acknowledged', 'in_progress', 'verified'] as const)('is refused on %s', (status) => {
    expect(refusal(() => verification(incident(status), true, now))).toBe('incident_not_resolved')
  })
})

describe('a merge', () => {
  it.each(statuses)('closes a duplicate that was %s out', (status) => {
    const stamps = closedOut(incident(status), now)
    expect(stamps).toMatchObject({ status: 'verified', verifiedAt: status === 'verified' ? earlier : now })
    expect(stamps.acknowledgedAt).toEqual(status === 'open' ? now : earlier)
    expect(stamps.resolvedAt).toEqual(status === 'resolved' || status === 'verified' ? earlier : now)
  })
})

describe('downtime at creation', () => {
  it('is an asset and critical, nothing else', () => {
    expect(startsDowntime(1, 'critical')).toBe(true)
    expect(startsDowntime(null, 'critical')).toBe(false)
    expect(startsDowntime(1, 'high')).toBe(false)
  })
})
