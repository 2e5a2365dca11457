import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { presentYear, type YearFigures } from '../../../src/status/present/yearReport.js'
import { yearRows } from '../../../src/status/queries/year.js'
import { yearBefore, yearUpTo } from '../../../src/status/rules/yearFigures.js'
import { userIdOf } from '../../support/accounts.js'
import { useDatabase } from '../../support/database.js'
import { insertRow } from '../../support/rows.js'
import { perRun } from '../../support/run/extent.js'
import { drawing, type Random } from '../../support/run/random.js'
import { oracleOutages, oraclePercent, oracleReports, type Report, type ReportedAsset } from './oracle.js'

useDatabase()

it('the figures of a year are those counted minute by minute and report by report, in any life of a building', async () => {
  const random = drawing()
  for (let life = perRun({ quick: 3, whole: 40 }); life > 0; life--) {
    const world = makeUpWorld(random)
    const ids = await store(world)
    const span = yearUpTo(zone, 2024, Date.now())
    const report = presentYear(await yearRows(zone, span, yearBefore(zone, span)), {
      previous: 2023,
      next: 2025,
    })
    for (const [i, assetId] of ids.entries()) {
      const shown = report.assets.find(({ id }) => id === assetId)
      expectFigures(shown, expected(world, 2024, i), `asset ${i} in 2024`)
      if (shown) expectFigures(shown.before, expected(world, 2023, i), `asset ${i} in 2023`)
    }
    expectFigures(report.elsewhere, elsewhere(world, 2024), 'elsewhere in 2024')
    expectFigures(report.total, together(world, 2024), 'all in 2024')
    expectFigures(report.total.before, together(world, 2023), 'all in 2023')
    for (const { month, costCents, before } of report.months) {
      expect(costCents).toBe(spent(world, month))
      expect(before?.costCents ?? 0).toBe(spent(world, month.replace('2024', '2023')))
    }
    const hours = report.months.reduce((sum, { downtimeHours }) => sum + downtimeHours, 0)
    expect(Math.abs(hours - report.total.downtimeHours!)).toBeLessThan(0.1)
    await remove(ids)
  }
}, 600_000)

const uptime = (counting: number, lost: number) => ({
  uptime: oraclePercent(counting, lost),
  downtimeHours: Math.round((lost / 60) * 100) / 100,
})
const noUptime = { uptime: null, outages: null, downtimeHours: null, repeats: null }

function expected(world: World, year: number, asset: number): YearFigures | null {
  const out = oracleOutages(asset, world.assets[asset]!, world.reports, years[year]!, minutes)
  const reports = oracleReports(world.reports, years[year]!, (one) => one.asset === asset)
  const costCents = spent(world, String(year), asset)
  if (!out) return reports.reports + costCents > 0 ? { ...noUptime, ...reports, costCents } : null
  const { counting, lost, outages, repeats } = out
  return { ...uptime(counting, lost), outages, repeats, ...reports, costCents }
}

function elsewhere(world: World, year: number): YearFigures {
  const reports = oracleReports(world.reports, years[year]!, ({ asset }) => asset === null)
  return { ...noUptime, ...reports, costCents: spent(world, String(year), null) }
}

function together(world: World, year: number): YearFigures {
  const all = world.assets.map((asset, i) => oracleOutages(i, asset, world.reports, years[year]!, minutes))
  const sum = (of: 'counting' | 'lost' | 'outages' | 'repeats') =>
    all.reduce((total, one) => total + (one?.[of] ?? 0), 0)
  return {
    ...uptime(sum('counting'), sum('lost')),
    outages: sum('outages'),
    repeats: sum('repeats'),
    ...oracleReports(world.reports, years[year]!, () => true),
    costCents: spent(world, String(year)),
  }
}

function spent({ costs }: World, from: string, asset?: number | null): number {
  return costs
    .filter(
      ({ report, day, isVoid }) =>
        !isVoid && day.startsWith(from) && [undefined, report.asset].includes(asset),
    )
    .reduce((sum, { cents }) => sum + cents, 0)
}

function expectFigures(
  shown: YearFigures | null | undefined,
  wanted: YearFigures | null,
  what: string,
): void {
  if (!wanted) {
    expect(shown ?? null, what).toBeNull()
    return
  }
  const fields = Object.keys(wanted) as (keyof YearFigures)[]
  expect(Object.fromEntries(fields.map((field) => [field, shown?.[field]])), what).toEqual(wanted)
}

/** Two lifts of all the time, one that came in between and one that went before. */
function makeUpWorld({ number, pick }: Random): World {
  const whole = (least: number, most: number) => least + Math.floor(number() * (most - least))
  const [first, second] = [years[2023]!, years[2024]!]
  const planned = () =>
    Array.from({ length: whole(0, 6) }, () => {
      const from = whole(0, minutes - 30_000)
      return { from, to: from + whole(1, 20_000) }
    })
  const assets = [
    { since: 0, until: Infinity, planned: planned() },
    { since: 10, until: Infinity, planned: planned() },
    { since: whole(second[0], second[1]), until: Infinity, planned: planned() },
    { since: 0, until: whole(first[0], second[0]), planned: [] },
  ]
  const reports: Report[] = []
  for (let left = whole(20, 70); left > 0; left--) {
    const asset = pick([0, 0, 1, 2, 3, null])!
    const since = asset === null ? 0 : assets[asset]!.since
    const created = whole(since, minutes - 50_000)
    const waits = number() < 0.06
    const lasts = pick([5, 90, 3_000, 40_000])!
    const resolved = waits ? null : created + whole(1, lasts)
    const acknowledged =
      waits && number() < 0.5 ? null : created + whole(0, resolved ? resolved - created : 500)
    const end = resolved ?? Infinity
    const turn = Math.min(end, created + whole(1, 2_000))
    const kinds = pick([
      ['down'],
      ['degraded'],
      ['degraded', 'down'],
      ['down', 'degraded'],
      [],
    ])! as Report['impacts'][number]['kind'][]
    const impacts = kinds.flatMap((kind, i) => {
      const [from, to] = i === 0 ? [created, kinds.length > 1 ? turn : end] : [turn, end]
      return from < to && asset !== null ? [{ kind, from, to }] : []
    })
    const reason = resolved === null ? null : pick(['fixed', null, 'no_fault_found'] as const)!
    const duplicateOf =
      resolved !== null && number() < 0.2
        ? (reports.find((one) => one.asset === asset && one.duplicateOf === null) ?? null)
        : null
    const confirmed = resolved === null ? null : pick(['resident', 'manager', null] as const)!
    reports.push({ asset, created, acknowledged, resolved, reason, confirmed, duplicateOf, impacts })
  }
  const costs = Array.from({ length: whole(0, 30) }, () => {
    const month = `${pick(['2022-12', '2023-01', '2023-12', '2024-01', '2024-12', '2025-01', '2024-06'])}`
    const day = `${month}-${pick(['01', '15', '31', '30'])}`.replace('06-31', '06-30')
    return { report: pick(reports)!, cents: whole(1, 100_000), day, isVoid: number() < 0.2 }
  })
  return { assets, reports, costs }
}

/** Writes a world as the service would have; returns its assets. */
async function store({ assets, reports, costs }: World): Promise<number[]> {
  await query('update properties set timezone = $1', [zone])
  const ids: number[] = []
  for (const { since, until, planned } of assets) {
    const { id } = await insertRow('assets', {
      tower_id: 1,
      name: randomUUID(),
      category: 'Lift',
      created_at: at(since),
      archived_at: at(until),
    })
    ids.push(id)
    for (const { from, to } of planned) {
      const times = { starts_at: at(from), ends_at: at(to) }
      await insertRow('maintenance_windows', { asset_id: id, title: 'Oil', ...times })
    }
  }
  const managerId = await userIdOf('manager')
  const made = new Map<Report, number>()
  for (const one of reports) made.set(one, await storeReport(one, ids, made))
  for (const { report: one, cents, day, isVoid } of costs)
    await insertRow('repair_costs', {
      incident_id: made.get(one),
      amount_cents: cents,
      incurred_on: day,
      created_by: managerId,
      voided_at: isVoid ? new Date() : null,
      voided_by: isVoid ? managerId : null,
    })
  return ids
}

async function storeReport(one: Report, ids: number[], made: Map<Report, number>): Promise<number> {
  const assetId = one.asset === null ? null : ids[one.asset]!
  const verified = one.confirmed !== null || one.duplicateOf !== null
  const status =
    one.resolved === null
      ? one.acknowledged === null
        ? 'open'
        : 'acknowledged'
      : verified
        ? 'verified'
        : 'resolved'
  const resolvedAt = one.resolved === null ? null : at(one.resolved)
  const { id } = await insertRow('incidents', {
    title: 'Made up',
    severity: 'high',
    status,
    source: 'email',
    asset_id: assetId,
    created_at: at(one.created),
    acknowledged_at: one.acknowledged === null ? null : at(one.acknowledged),
    resolved_at: resolvedAt,
    verified_at: status === 'verified' ? resolvedAt : null,
    merged_into_id: one.duplicateOf && made.get(one.duplicateOf),
    closing_reason: one.reason,
  })
  for (const { kind, from, to } of one.impacts)
    await insertRow('asset_impacts', {
      incident_id: id,
      asset_id: assetId,
      impact: kind,
      started_at: at(from),
      ended_at: at(to),
    })
  if (one.confirmed)
    await insertRow('incident_updates', {
      incident_id: id,
      author_id: await userIdOf(one.confirmed),
      body: '',
      new_status: 'verified',
      via: 'web',
    })
  return id
}

/** Takes a world's reports and work away; its assets count no more, as ones archived before. */
async function remove(ids: number[]): Promise<void> {
  const own = `(select id from incidents where title = 'Made up')`
  for (const table of ['repair_costs', 'incident_updates', 'asset_impacts'])
    await query(`delete from ${table} where incident_id in ${own}`)
  await query(`delete from incidents where title = 'Made up'`)
  await query('delete from maintenance_windows where asset_id = any ($1)', [ids])
  await query('delete from assets where id = any ($1)', [ids])
}

const zone = 'America/New_York'

const epoch = Date.parse('2022-11-01T00:00:00Z')

const minuteOf = (at: string) => (Date.parse(at) - epoch) / 60_000

/** The years 2023 and 2024 in New York, and all that is made up, in minutes. */
const years: Record<number, [number, number]> = {
  2023: [minuteOf('2023-01-01T05:00:00Z'), minuteOf('2024-01-01T05:00:00Z')],
  2024: [minuteOf('2024-01-01T05:00:00Z'), minuteOf('2025-01-01T05:00:00Z')],
}

const minutes = minuteOf('2025-03-01T00:00:00Z')

const at = (minute: number) => (minute === Infinity ? null : new Date(epoch + minute * 60_000))

type Cost = { report: Report; cents: number; day: string; isVoid: boolean }

type World = { assets: ReportedAsset[]; reports: Report[]; costs: Cost[] }
