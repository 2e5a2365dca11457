import { escalateOverdue } from '../../src/incidents/acts/escalateOverdue.js'
import { query } from '../../src/platform/db/database.js'
import { systemActor } from '../../src/vocabulary/people/actor.js'
import type { SlaTargets } from '../../src/vocabulary/severity.js'
import { watchMemory } from './memory.js'
import { ratios } from './ratios.js'
import { sized } from './size.js'
import { verdict } from './verdict.js'
import {
  benchDatabase,
  copyDatabase,
  fill,
  fillBuilding,
  fillIncidents,
  fillPeople,
  fillResidents,
  reopenDatabase,
  using,
} from './world.js'

const rounds = sized({ usual: 7, tiny: 1 })
/** Open incidents of the busy building, and how many of them are overdue at each sweep. */
const openIncidents = sized({ usual: 100_000, tiny: 1_000 })
const overdue = sized({ usual: 10_000, tiny: 100 })
/**
 * Overdue at each sweep of the two buildings that differ only in their history, and how often those
 * are swept.
 */
const fewOverdue = sized({ usual: 1_000, tiny: 10 })
const slices = sized({ usual: 15, tiny: 2 })
/** Incidents of the building with the shorter history, and how many more the other one has. */
const fewIncidents = sized({ usual: 20_000, tiny: 200 })
const moreIncidents = sized({ usual: 980_000, tiny: 500 })
const oldest = new Date(Date.now() - 50 * 24 * 3_600_000)
const targets: SlaTargets = { low: 168, medium: 72, high: 24, critical: 4 }

/**
 * The sweep with its entries, emails and deliveries: against the UPDATE alone, and its cost at
 * fifty times the history.
 */
export async function sweep(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillBuilding(100)
    await fillPeople()
    await fillResidents(200)
    const busy = await copyDatabase(world.url, 'busy')
    await using(busy, () => fillOpen(openIncidents, overdue))
    const fast = await againstUpdate(busy)
    const flat = await againstHistory(world.url)
    return fast && flat
  } finally {
    await world.stop()
  }
}

async function againstUpdate(busy: string): Promise<boolean> {
  const seconds: number[] = []
  const growth: number[] = []
  await reopenDatabase(busy)
  const sweeping = async () => {
    const memory = watchMemory()
    const took = await secondsOf(async () => expectCount(await sweepNow(), overdue))
    growth.push(memory())
    seconds.push(took)
    return took
  }
  const updating = () => secondsOf(async () => expectCount(await bareUpdate(), overdue))
  const against = await ratios(
    () => afterReset(updating),
    () => afterReset(sweeping),
    rounds,
  )
  const isSoonDone = verdict('seconds to sweep 10,000 overdue of 100,000 open', seconds, { atMost: 5 })
  const isNearUpdate = verdict('its time against a bare UPDATE of the same rows', against, { atMost: 3 })
  const isSmall = verdict('MB the process grew by, at the most', growth, { atMost: 32 }, 1)
  return isSoonDone && isNearUpdate && isSmall
}

/**
 * The same breaches in buildings of 20,000 and of 1,000,000 incidents, in two databases of one
 * server.
 */
async function againstHistory(url: string): Promise<boolean> {
  const small = await copyDatabase(url, 'small')
  await using(small, () => fillOpen(slices * fewOverdue, 0))
  await using(small, () =>
    fill("update incidents set created_at = $1::timestamptz + (id - 1) / $2::integer * interval '1 day'", [
      oldest,
      fewOverdue,
    ]),
  )
  await using(small, () => fillDone(fewIncidents - slices * fewOverdue))
  const large = await copyDatabase(small, 'large')
  await using(large, () => fillDone(moreIncidents))
  const against = await ratios(sweepingDayByDay(small), sweepingDayByDay(large), slices)
  return verdict('its time at 1,000,000 incidents against 20,000, equally many overdue', against, {
    atMost: 1.3,
  })
}

/**
 * In each slice the next day's incidents are overdue. Nothing is reset between slices, because that
 * would empty the caches of the large building.
 */
function sweepingDayByDay(database: string): () => Promise<number> {
  let day = 0
  return async () => {
    await reopenDatabase(database)
    await query('select 1')
    day += 1
    const hours = (Date.now() - oldest.getTime()) / 3_600_000 - (day - 0.5) * 24
    const hoursForAll = { low: hours, medium: hours, high: hours, critical: hours }
    return secondsOf(async () => expectCount(await sweepNow(hoursForAll), fewOverdue))
  }
}

const sweepNow = async (slaTargets = targets) =>
  (await escalateOverdue(systemActor('cli'), slaTargets)).escalated.length

/** The least that a sweep must do: the same rows by the same condition, and no one is notified. */
async function bareUpdate(): Promise<number> {
  const rows = await query(
    `update incidents set sla_breached = true, sla_breached_at = date_trunc('milliseconds', now()),
       severity = case severity when 'low' then 'medium' when 'medium' then 'high' else 'critical' end
     where status = 'open' and acknowledged_at is null and not sla_breached and merged_into_id is null
       and created_at < now() - make_interval(hours => 168)
     returning id`,
  )
  return rows.length
}

/** Every round finds the building as the first one did. */
async function afterReset(measure: () => Promise<number>): Promise<number> {
  await fill(
    `update incidents set sla_breached = false, sla_breached_at = null, severity = 'low' where sla_breached`,
  )
  await fill(
    `delete from asset_impacts r using incidents i
     where i.id = r.incident_id and i.severity = 'low' and not i.is_downtime`,
  )
  await fill('truncate outbox, webhook_deliveries')
  await fill('vacuum analyze incidents, asset_impacts')
  return measure()
}

/** Open incidents, each followed by the resident who reported it, and half of them by one more. */
async function fillOpen(count: number, late: number): Promise<void> {
  await fillIncidents(
    `insert into incidents (title, description, severity, source, asset_id, reporter_id, created_at)
     select 'Incident ' || n, repeat('x', 100), 'low', 'web', 1 + n % 100, r.ids[1 + n % 200],
       case when n <= $2 then now() - interval '30 days' else now() end
     from generate_series(1, $1) n, (select array_agg(id) as ids from users where email like 'resident%') r`,
    [count, late],
  )
  await fill(
    `insert into followers (incident_id, user_id) select id, reporter_id from incidents
     union select i.id, r.ids[1 + (i.id + 7) % 200]
     from incidents i, (select array_agg(id) as ids from users where email like 'resident%') r where i.id / 10 % 2 = 0`,
  )
  await fill('vacuum analyze')
}

/** Incidents that were dealt with long ago. */
async function fillDone(count: number): Promise<void> {
  await fillIncidents(
    `insert into incidents (title, severity, status, source, asset_id, created_at, acknowledged_at, resolved_at,
       verified_at)
     select 'Old ' || n, 'low', 'verified', 'web', 1 + n % 100, at, at, at + interval '2 hours', at + interval '3 hours'
     from (select n, now() - interval '100 days' - n * interval '30 seconds' as at
       from generate_series(1, $1) n) given`,
    [count],
  )
  await fill('vacuum analyze')
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

function expectCount(count: number, expected: number): void {
  if (count !== expected) throw new Error(`${count} were overdue, not ${expected}`)
}
