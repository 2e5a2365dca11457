import { describe, expect, it } from 'vitest'
import { escalateOverdue } from '../../../src/incidents/acts/escalateOverdue.js'
import { query } from '../../../src/platform/db/database.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { defaultSlaTargets } from '../../../src/vocabulary/severity.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { scalar } from '../../support/rows.js'
import { queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const actor = systemActor('cli')
const sweep = (targets = defaultSlaTargets) => escalateOverdue(actor, targets)

async function open(severity: string, hoursAgo: number, given = ''): Promise<number> {
  const id = await scalar<number>(
    `insert into incidents (title, severity, source, asset_id, reporter_id, created_at)
     select 'Old', $1, 'web', 1, u.id, now() - make_interval(secs => $2::float8 * 3600) from users u
     where u.email = 'resident@example.com' returning id`,
    [severity, hoursAgo],
  )
  if (given) await query(`update incidents set ${given} where id = $1`, [id])
  return id
}

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
  ])('raises %s past %d hours to %s, once ever', async (severity, hours, to) => {
    const early = await open(severity, hours - 0.01)
    const late = await open(severity, hours + 0.01)
    const { escalated } = await sweep()
    expect(escalated).toEqual([{ id: late, from: severity, to }])
    expect((await sweep()).escalated).toEqual([])
    const [row] = await query(
      'select severity, sla_breached, status, is_downtime from incidents where id = $1',
      [late],
    )
    expect(row).toEqual({ severity: to, slaBreached: true, status: 'open', isDowntime: false })
    await query('delete from incidents where id = $1', [early])
  })

  it('leaves alone what was acknowledged, merged, or moved on', async () => {
    await open('critical', 100, `status = 'acknowledged', acknowledged_at = now()`)
    await open('critical', 100, `acknowledged_at = now()`)
    const survivor = await open('low', 0)
    await open(
      'critical',
      100,
      `status = 'verified', acknowledged_at = now(), resolved_at = now(), verified_at = now(), merged_into_id = ${survivor}`,
    )
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
    await query(
      `insert into webhook_subscriptions (url, secret, events)
       values ('http://127.0.0.1:1/', 's', '{incident.sla_breached}')`,
    )
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
    const ids = await Promise.all(Array.from({ length: 60 }, () => open('high', 30)))
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
