import { describe, expect, it } from 'vitest'
import { down, up } from '../../../migrations/20261122100000_asset_impacts.js'
import { database, query } from '../../../src/platform/db/database.js'
import { migrate } from '../../../src/platform/db/migrate.js'
import { useDatabase } from '../../support/database.js'
import { impactFaults } from '../../support/impacts.js'

useDatabase({ empty: true })

/** Hours after the beginning of the old building, as SQL. */
const at = (hours: number | null) =>
  hours === null ? 'null' : `timestamptz '2026-01-01T00:00Z' + ${hours} * interval '1 hour'`

type Old = {
  severity: string
  isDowntime?: boolean
  since?: number
  resolved?: number
  mergedInto?: number
  inFlat?: true
  /** Status changes after the report: the hour, the status, and whether a resident said it was not fixed. */
  moves?: [hour: number, status: string, notFixed?: true][]
}
type Painted = [impact: string, from: number, to: number | null]

const cases: [what: string, old: Old, painted: Painted[]][] = [
  ['a downtime', { severity: 'critical', isDowntime: true, resolved: 5 }, [['down', 0, 5]]],
  ['one that goes on', { severity: 'low', isDowntime: true }, [['down', 0, null]]],
  [
    'one that began after the report',
    { severity: 'high', isDowntime: true, since: 3, resolved: 9 },
    [
      ['degraded', 0, 3],
      ['down', 3, 9],
    ],
  ],
  [
    'one that began before',
    { severity: 'high', isDowntime: true, since: -4, resolved: 9 },
    [['down', -4, 9]],
  ],
  ['a fault', { severity: 'medium', resolved: 7 }, [['degraded', 0, 7]]],
  ['a scratch', { severity: 'low', resolved: 7 }, []],
  ['something in a flat', { severity: 'critical', inFlat: true }, []],
  [
    'a duplicate, until its merge',
    { severity: 'critical', isDowntime: true, resolved: 6, mergedInto: 1 },
    [['down', 0, 6]],
  ],
  [
    'what staff reopened, without the time between',
    {
      severity: 'critical',
      isDowntime: true,
      resolved: 400,
      moves: [
        [24, 'resolved'],
        [288, 'in_progress'],
        [400, 'resolved'],
      ],
    },
    [
      ['down', 0, 24],
      ['down', 288, 400],
    ],
  ],
  [
    'what was not fixed after all, with the time between',
    {
      severity: 'medium',
      moves: [
        [10, 'resolved'],
        [82, 'in_progress', true],
      ],
    },
    [['degraded', 0, null]],
  ],
  [
    'what broke again after more than 72 hours, without it',
    {
      severity: 'medium',
      moves: [
        [10, 'resolved'],
        [83, 'in_progress', true],
      ],
    },
    [
      ['degraded', 0, 10],
      ['degraded', 83, null],
    ],
  ],
]

async function insertOld({
  severity,
  isDowntime = false,
  since,
  resolved,
  mergedInto,
  inFlat,
  moves = [],
}: Old) {
  const status = mergedInto ? 'verified' : resolved === undefined ? 'in_progress' : 'resolved'
  const [row] = await query<{ id: number }>(
    `insert into incidents (title, severity, status, source, asset_id, unit_id, is_downtime, downtime_started_at,
       created_at, acknowledged_at, resolved_at, verified_at, merged_into_id)
     values ('Old', $1, $2, 'web', ${inFlat ? 'null, 1' : '1, null'}, $3, ${at(since ?? null)}, ${at(0)}, ${at(0)},
       ${at(resolved ?? null)}, ${mergedInto ? at(resolved!) : 'null'}, $4) returning id`,
    [severity, status, isDowntime, mergedInto ?? null],
  )
  for (const [hour, to, notFixed] of moves) {
    await query(
      `insert into incident_updates (incident_id, author_label, new_status, created_at) values ($1, 'x', $2, ${at(hour)})`,
      [row!.id, to],
    )
    await query(
      `insert into audit_entries (at, actor_type, actor_name, action, entity, entity_id, via, affects_status)
       values (${at(hour)}, 'system', 'x', $2, 'incident', $1, 'web', true)`,
      [row!.id, notFixed ? 'incident.reopened' : 'incident.status_changed'],
    )
  }
  return row!.id
}

describe('a database from before', () => {
  it('keeps its past: each incident did what was shown of it until now', async () => {
    await migrate()
    await down(database())
    await query(`insert into towers (id, name) values (1, 'T')`)
    await query(`insert into assets (id, tower_id, name, category) values (1, 1, 'Lift', 'Lift')`)
    await query(`insert into units (id, tower_id, number, floor) values (1, 1, '1', 1)`)
    const ids: number[] = []
    for (const [, old] of cases) ids.push(await insertOld(old))
    await up(database())
    for (const [i, [what, , painted]] of cases.entries()) {
      const rows = await query<{ impact: string; from: number; to: number | null }>(
        `select impact, date_part('epoch', started_at - ${at(0)}) / 3600 as from, date_part('epoch', ended_at - ${at(0)}) / 3600 as to
         from asset_impacts where incident_id = $1 and asset_id = 1 order by started_at`,
        [ids[i]],
      )
      expect(
        rows.map(({ impact, from, to }) => [impact, from, to]),
        what,
      ).toEqual(painted)
    }
    expect(await impactFaults()).toEqual([])
    await down(database())
    await up(database())
    expect(await impactFaults()).toEqual([])
  })
})
