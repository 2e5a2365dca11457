/**
 * The figures of a year, minute by minute and report by report, written from decisions 2.8, 3.3 and
 * 3.6 and the words of the page alone: slow, and sharing nothing with the program. Minutes are
 * counted from an epoch of the caller's.
 */

/** A report and what it did: `[from, to)` in minutes, `to` Infinity while it runs. */
export type Report = {
  asset: number | null
  created: number
  acknowledged: number | null
  resolved: number | null
  reason: 'fixed' | 'no_fault_found' | null
  confirmed: 'resident' | 'manager' | null
  duplicateOf: Report | null
  impacts: { kind: 'down' | 'degraded'; from: number; to: number }[]
}

/** `since`, `until`: while the asset was known, in minutes. */
export type ReportedAsset = { since: number; until: number; planned: { from: number; to: number }[] }

const day = 24 * 60
const [degraded, down] = [1, 2]

/** What an asset's minutes were like, and which of them were planned work. */
function painted(
  asset: number,
  planned: ReportedAsset['planned'],
  reports: readonly Report[],
  minutes: number,
) {
  const bytes = new Uint8Array(minutes)
  const fill = (mark: number, kind: string) => {
    for (const one of reports)
      if (one.asset === asset)
        for (const impact of one.impacts)
          if (impact.kind === kind) bytes.fill(mark, impact.from, Math.min(minutes, impact.to))
  }
  fill(degraded, 'degraded')
  fill(down, 'down')
  const work = new Uint8Array(minutes)
  for (const { from, to } of planned) work.fill(1, from, to)
  return { bytes, work }
}

/**
 * Of an asset in [start, end): minutes that count, those of them down, outages, and
 * breakdowns soon after a repair.
 */
export function oracleOutages(
  asset: number,
  { since, until, planned }: ReportedAsset,
  reports: readonly Report[],
  [start, end]: [number, number],
  minutes: number,
) {
  const { bytes, work } = painted(asset, planned, reports, minutes)
  const [first, last] = [Math.max(start, since), Math.min(end, until)]
  if (first >= last) return null
  let [counting, lost, outages, counted] = [0, 0, 0, false]
  for (let at = 0; at < last; at++) {
    if (bytes[at] !== down) counted = false
    if (at < first || work[at] === 1) continue
    counting++
    if (bytes[at] !== down) continue
    lost++
    if (!counted) outages++
    counted = true
  }
  return { counting, lost, outages, repeats: repeatsOf(asset, reports, first, last) }
}

/**
 * Breakdowns that began in [first, last), at most 30 days after everything
 * before them was repaired.
 */
function repeatsOf(asset: number, reports: readonly Report[], first: number, last: number): number {
  const hulls = new Map<Report, { from: number; to: number }>()
  for (const one of reports) {
    if (one.asset !== asset) continue
    for (const { from, to } of one.impacts) {
      if (from >= last || to <= first - 30 * day) continue
      const survivor = one.duplicateOf ?? one
      const hull = hulls.get(survivor) ?? { from: Infinity, to: -Infinity }
      hulls.set(survivor, { from: Math.min(hull.from, from), to: Math.max(hull.to, to) })
    }
  }
  const all = [...hulls.values()]
  const begun = all.filter(
    (one, i) =>
      one.from >= first &&
      // Of two that began in the same minute, one broke and the other is a report of it.
      !all.some(
        (other, j) =>
          j !== i && other.from <= one.from && other.to > one.from && (other.from < one.from || j < i),
      ),
  )
  return begun.filter(({ from }) =>
    all.some(({ from: began, to }) => began < from && to <= from && from - to <= 30 * day),
  ).length
}

/** What became of the reports of [start, end) that meet the condition. */
export function oracleReports(
  reports: readonly Report[],
  [start, end]: [number, number],
  which: (one: Report) => boolean,
) {
  const own = reports.filter(
    (one) => one.duplicateOf === null && one.created >= start && one.created < end && which(one),
  )
  const repairs = own.filter(({ reason }) => reason !== 'no_fault_found')
  const fixed = repairs.filter(({ resolved }) => resolved !== null)
  return {
    reports: own.length,
    hoursToAnswer: middle(own.map(({ created, acknowledged }) => (acknowledged ?? Infinity) - created)),
    hoursToRepair: middle(repairs.map(({ created, resolved }) => (resolved ?? Infinity) - created)),
    repaired: fixed.length,
    confirmed: fixed.filter(({ confirmed }) => confirmed === 'resident').length,
  }
}

/**
 * Hours with two decimals that half of these minutes do not exceed; null when that is without end.
 */
function middle(minutes: number[]): number | null {
  const found = minutes.find(
    (one) =>
      minutes.filter((other) => other <= one).length * 2 >= minutes.length &&
      minutes.filter((other) => other < one).length * 2 < minutes.length,
  )
  return found === undefined || found === Infinity ? null : Math.round((found / 60) * 100) / 100
}

/**
 * Percent with two decimals, full only without a minute lost and 0 only without
 * one left (decision 3.3).
 */
export function oraclePercent(counting: number, lost: number): string {
  if (lost === 0) return '100.00'
  if (lost === counting) return '0.00'
  const nearest = Math.round((10_000 * (counting - lost)) / counting)
  return (Math.min(9_999, Math.max(1, nearest)) / 100).toFixed(2)
}
