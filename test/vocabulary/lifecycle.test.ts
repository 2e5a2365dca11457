import { describe, expect, it } from 'vitest'
import { Conflict } from '../../src/vocabulary/conflict.js'
import {
  type LifecycleState,
  nextStatuses,
  refuseMerged,
  type Status,
  statuses,
  statusTone,
  transition,
} from '../../src/vocabulary/lifecycle.js'

const earlier = new Date('2026-03-01T08:00:00Z')
const now = new Date('2026-03-01T12:00:00Z')

describe('the colour of a status', () => {
  it('says whether anyone has acted, and how it ended', () => {
    expect(statuses.map((status) => statusTone(status, null))).toEqual([
      'neutral',
      'maintenance',
      'maintenance',
      'operational',
      'operational',
    ])
    expect(statusTone('verified', 'fixed')).toBe('operational')
    expect(statusTone('verified', 'not_ours')).toBe('neutral')
    expect(statusTone('in_progress', null, true)).toBe('degraded')
  })
})

describe('staff status updates', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))

  it.each(pairs)('%s → %s', (from, to) => {
    if (from === to) expect(transition(incident(from), to, now)).toBeNull()
    else if (from === 'verified')
      expect(refusal(() => transition(incident(from), to, now))).toBe('incident_verified')
    else expect(transition(incident(from), to, now)?.status).toBe(to)
  })

  it('have no stamp before what came before, also after the clock went back', () => {
    const [made, began] = [new Date(+now + 1_000), new Date(+now + 2_000)]
    const stampsOf = (given: Partial<LifecycleState>) => transition(incident('open', given), 'verified', now)
    for (const [given, at] of [
      [{ createdAt: made }, made],
      [{ createdAt: made, downtimeStartedAt: began }, began],
    ] as const)
      expect(stampsOf(given)).toMatchObject({ acknowledgedAt: at, resolvedAt: at, verifiedAt: at })
  })

  it('refuses a merged duplicate with the pointer to its survivor', () => {
    const duplicate = incident('verified', { mergedIntoId: 7 })
    expect(() => refuseMerged(duplicate)).toThrow(expect.objectContaining({ details: { mergedInto: 7 } }))
    expect(nextStatuses(duplicate)).toEqual([])
  })

  it('are offered where they are accepted', () => {
    for (const from of statuses) {
      const accepted = statuses.filter(
        (to) => refusal(() => transition(incident(from), to, now)) === null && to !== from,
      )
      expect([...nextStatuses(incident(from))].sort()).toEqual([...accepted].sort())
    }
  })
})

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

function refusal(act: () => unknown) {
  try {
    act()
  } catch (error) {
    return error instanceof Conflict ? error.code : error
  }
  return null
}
