import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acknowledgeIncidents } from '../../../src/incidents/acts/bulkActs.js'
import { escalateOverdue } from '../../../src/incidents/acts/escalateOverdue.js'
import { mergeIncidents } from '../../../src/incidents/acts/merge/mergeIncidents.js'
import { patchIncident } from '../../../src/incidents/acts/patchIncident.js'
import { query } from '../../../src/platform/db/database.js'
import { type Status, statuses } from '../../../src/vocabulary/lifecycle.js'
import { type Actor, systemActor } from '../../../src/vocabulary/people/actor.js'
import {
  type Severity,
  type SlaTargets,
  severities,
  slaHours,
  defaultSlaTargets as targets,
} from '../../../src/vocabulary/severity.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { scalar } from '../../support/rows.js'
import { perRun } from '../../support/run/extent.js'
import { drawing } from '../../support/run/random.js'
import { queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { office } = house
const created = new Date('2026-03-28T22:00:00.123Z')

describe('leaving open', () => {
  it.each(waysPastOpen())(
    'by %s is late only after the target of its severity',
    async (_name, action, leave) => {
      for (const severity of severities)
        for (const ms of [-1, 0, 1]) {
          const id = await open(severity)
          const moment = later(targets[severity], ms)
          await leave(at(moment), id)
          const late = ms > 0
          expect(await stored(id), `${severity}, ${ms} ms after its target`).toEqual({
            severity,
            late,
            lateAt: late ? moment : null,
            acknowledgedAt: moment,
          })
          expect((await changesOf(id, action)).slaBreached).toEqual(
            late ? { before: false, after: true } : undefined,
          )
        }
    },
  )

  it('after a breach keeps its moment', async () => {
    const id = await open('critical')
    await escalateOverdue({ ...systemActor('cli'), past: later(5, 0) }, targets)
    await patchIncident(at(later(9, 0)), id, { body: 'Seen', newStatus: 'verified' })
    expect(await stored(id)).toMatchObject({ late: true, lateAt: later(5, 0) })
    expect((await changesOf(id, 'incident.status_changed')).slaBreached).toBeUndefined()
  })

  it('counts once: what happens after the first time, back to open included, is never late', async () => {
    const id = await open('critical')
    const steps: [Status, number][] = [
      ['acknowledged', 1],
      ['open', 2],
      ['resolved', 101],
    ]
    for (const [newStatus, hours] of steps)
      await patchIncident(at(later(hours, 0)), id, { body: 'x', newStatus })
    await patchIncident(at(later(200, 0)), id, { move: 'notFixed', body: 'x' })
    expect(await stored(id)).toMatchObject({ late: false, acknowledgedAt: later(1, 0) })
  })

  it('is followed by no sweep, no second event and no email of a breach', async () => {
    await escalateOverdue(systemActor('cli'), targets)
    const createdAt = new Date(Date.now() - 30 * 3_600_000)
    const id = await house.report({ assetId: 2, title: 'Waited', severity: 'high', createdAt })
    await house.subscription({ events: ['incident.sla_breached', 'incident.status_changed'] })
    await emptyOutbox()
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'Seen', newStatus: 'in_progress' },
    })
    await house.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'x', newStatus: 'open' } })
    expect((await escalateOverdue(systemActor('cli'), targets)).escalated).toEqual([])
    const detail = await house.json('manager', `/api/incidents/${id}`)
    expect(detail).toMatchObject({ severity: 'high', slaBreached: true, status: 'open' })
    const bodies = await queryAfterFanOut<{ body: string }>('select body from webhook_deliveries order by id')
    const announcements = bodies.map(({ body }) => JSON.parse(body))
    expect(announcements.map(({ event }) => event)).toEqual([
      'incident.status_changed',
      'incident.status_changed',
    ])
    expect(announcements.map(({ incident }) => incident.slaBreached)).toEqual([true, true])
    const emails = await queryAfterFanOut<{ event: string }>('select distinct event from outbox')
    expect(emails).toEqual([{ event: 'incident.status_changed' }])
  })
})

describe('sweep and acknowledgement', () => {
  it('hold the same incidents to be late, to the millisecond, whatever the targets', async () => {
    const severity = fc.constantFrom(...severities)
    const seconds = fc.record(
      Object.fromEntries(severities.map((each) => [each, fc.integer({ min: 0, max: 1_000_000 })])),
    ) as fc.Arbitrary<SlaTargets>
    const near = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -1_000_000, max: 1_000_000 }))
    await fc.assert(
      fc.asyncProperty(severity, seconds, near, async (given, each, ms) => {
        const hours = Object.fromEntries(severities.map((name) => [name, each[name] / 3600])) as SlaTargets
        const moment = new Date(created.getTime() + each[given] * 1000 + ms)
        const late = await scalar<boolean>('select is_past_target($1, $2, $3, $4) as late', [
          created,
          given,
          slaHours(hours),
          moment,
        ])
        expect(late).toBe(ms > 0)
      }),
      { numRuns: perRun({ quick: 40, whole: 200 }), seed: drawing().seed },
    )
  })

  it('agree on incidents at the target and a moment after it', async () => {
    for (const severity of severities)
      for (const [ms, late] of [
        [0, false],
        [1, true],
      ] as const) {
        const [acknowledged, swept] = [await open(severity), await open(severity)]
        const past = later(targets[severity], ms)
        await patchIncident(at(past), acknowledged, { body: 'Seen', newStatus: 'verified' })
        const { escalated } = await escalateOverdue({ ...systemActor('cli'), past }, targets)
        expect([severity, ms, escalated.map(({ id }) => id).includes(swept)]).toEqual([severity, ms, late])
        expect([severity, ms, (await stored(acknowledged)).late]).toEqual([severity, ms, late])
        await office.acknowledges(swept)
      }
  })
})

/** Somebody of the office, who acts at this moment. */
function at(past: Date): Actor {
  return { type: 'user', id: 1, name: 'Office', via: 'web', role: 'manager', past }
}

function later(hours: number, ms: number): Date {
  return new Date(created.getTime() + hours * 3_600_000 + ms)
}

/** A report that was created then and is still open; returns its id. */
function open(severity: Severity): Promise<number> {
  return house.report({ assetId: 1, title: 'Old', severity, createdAt: created })
}

async function stored(id: number) {
  const rows = await query(
    `select severity, sla_breached as late, sla_breached_at as late_at, acknowledged_at
     from incidents where id = $1`,
    [id],
  )
  return rows[0]!
}

function changesOf(id: number, action: string): Promise<Record<string, unknown>> {
  return scalar<Record<string, unknown>>(
    'select changes from audit_entries where entity_id = $1 and action = $2 order by id',
    [id, action],
  )
}

type WayPastOpen = [name: string, auditAction: string, leave: (actor: Actor, id: number) => Promise<unknown>]

function waysPastOpen(): WayPastOpen[] {
  const updates = statuses
    .filter((status) => status !== 'open')
    .map(
      (newStatus): WayPastOpen => [
        `an update to ${newStatus}`,
        'incident.status_changed',
        (actor, id) => patchIncident(actor, id, { body: 'Seen', newStatus }),
      ],
    )
  return [
    ...updates,
    [
      'acknowledging several',
      'incident.status_changed',
      (actor, id) => acknowledgeIncidents(actor, [id], 'Seen'),
    ],
    [
      'a merge of the duplicate',
      'incident.merged',
      async (actor, id) => mergeIncidents(actor, id, await open('low'), 'The same'),
    ],
  ]
}
