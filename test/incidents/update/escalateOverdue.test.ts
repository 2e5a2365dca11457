import { describe, expect, it } from 'vitest'
import { escalateOverdue } from '../../../src/incidents/acts/escalateOverdue.js'
import { query } from '../../../src/platform/db/database.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { defaultSlaTargets, type Severity } from '../../../src/vocabulary/severity.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { office } = house

describe('the sweep', () => {
  it('first takes what the demo left overdue', async () => {
    const { checked, escalated } = await sweep()
    expect(checked).toBeGreaterThanOrEqual(escalated.length)
    expect(await sweep()).toMatchObject({ escalated: [] })
  })

  it.each([
    ['low', 168, 'medium'],
    ['medium', 72, 'high'],
    ['high', 24, 'critical'],
    ['critical', 4, 'critical'],
  ] as const)('raises %s past %d hours to %s, once ever', async (severity, hours, to) => {
    const early = await open(severity, hours - 0.01)
    const late = await open(severity, hours + 0.01)
    const { escalated } = await sweep()
    expect(escalated).toEqual([{ id: late, from: severity, to }])
    expect((await sweep()).escalated).toEqual([])
    const [row] = await query(
      'select severity, sla_breached, status, is_downtime from incidents where id = $1',
      [late],
    )
    expect(row).toEqual({
      severity: to,
      slaBreached: true,
      status: 'open',
      isDowntime: severity === 'critical',
    })
    await office.acknowledges(early)
  })

  it('leaves alone what was acknowledged, also when it is open again, and what was merged', async () => {
    const acknowledged = await open('critical', 100)
    await office.acknowledges(acknowledged)
    const openAgain = await open('critical', 100)
    await office.acknowledges(openAgain)
    await office.sets(openAgain, 'open')
    const duplicate = await open('critical', 100)
    await office.merges(duplicate, await open('low', 0))
    expect((await sweep()).escalated).toEqual([])
  })

  it('keeps to other targets, zero included', async () => {
    const id = await open('low', 0.001)
    expect((await sweep({ ...defaultSlaTargets, low: 0 })).escalated).toContainEqual({
      id,
      from: 'low',
      to: 'medium',
    })
  })

  it('leaves an entry by the system, an event, and one email per run for each of the staff', async () => {
    await house.subscription({ events: ['incident.sla_breached'] })
    await emptyOutbox()
    const ids = [await open('medium', 100), await open('high', 100)]
    await sweep()
    const audited = await query(
      `select actor_type, via, changes from audit_entries where action = 'incident.sla_breached' and entity_id = $1`,
      [ids[0]],
    )
    expect(audited).toEqual([
      {
        actorType: 'system',
        via: 'cli',
        changes: {
          slaBreached: { before: false, after: true },
          severity: { before: 'medium', after: 'high' },
        },
      },
    ])
    const bodies = await queryAfterFanOut<{ incident: object }>(
      `select body::json -> 'incident' as incident from webhook_deliveries where event = 'incident.sla_breached'
       order by id`,
    )
    expect(bodies.map(({ incident }) => incident)).toEqual([
      {
        id: ids[0],
        title: 'Old',
        severity: 'high',
        status: 'open',
        slaBreached: true,
        source: 'web',
        assetId: 1,
      },
      {
        id: ids[1],
        title: 'Old',
        severity: 'critical',
        status: 'open',
        slaBreached: true,
        source: 'web',
        assetId: 1,
      },
    ])
    const emails = await queryAfterFanOut(
      `select u.role, o.payload from outbox o join users u on u.id = o.recipient_id
       where o.event = 'sweep.report' order by u.role`,
    )
    expect(emails.map(({ role }) => role)).toEqual(['admin', 'board', 'manager'])
    expect(emails[0]!.payload).toMatchObject({
      total: 2,
      escalated: [{ id: ids[0], from: 'medium', to: 'high', where: expect.any(String) }, { id: ids[1] }],
    })
  })

  it('by eight at once, beside staff who acknowledge, escalates each incident at most once', async () => {
    const ids = await house.manyReports(60, {
      severity: `'high'`,
      created_at: `now() - interval '30 hours'`,
    })
    const acknowledging = ids
      .filter((_, i) => i % 2)
      .map((id) =>
        house.ask('manager', `/api/incidents/${id}/updates`, {
          json: { body: 'x', newStatus: 'acknowledged' },
        }),
      )
    const sweeps = Array.from({ length: 8 }, () => sweep())
    await Promise.all(acknowledging)
    const escalated = (await Promise.all(sweeps)).flatMap((run) => run.escalated.map(({ id }) => id))
    escalated.push(...(await sweep()).escalated.map(({ id }) => id))
    expect(new Set(escalated).size).toBe(escalated.length)
    const [row] = await query<{ n: number; late: number }>(
      `select count(*) filter (where sla_breached) as n,
         count(*) filter (where sla_breached_at > acknowledged_at) as late from incidents where id = any ($1)`,
      [ids],
    )
    expect(row!.n).toBe(escalated.filter((id) => ids.includes(id)).length)
    expect(row!.late).toBe(0)
  })
})

function sweep(targets = defaultSlaTargets) {
  return escalateOverdue(systemActor('cli'), targets)
}

/** A report that is open for so many hours already; returns its id. */
function open(severity: Severity, hours: number): Promise<number> {
  const createdAt = new Date(Date.now() - hours * 3_600_000)
  return house.report({ assetId: 1, title: 'Old', severity, createdAt })
}
