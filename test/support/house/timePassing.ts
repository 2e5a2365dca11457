import { query } from '../../../src/platform/db/database.js'

/*
 * Time that passes: no request has a clock of the past, and a test that waits for hours is none.
 * What a verb of the house does at a past moment needs none of this.
 */

/** Reports that were made just now have waited for so many days. */
export async function ageReports(reports: number | readonly number[], days: number): Promise<void> {
  await query(
    `update incidents set created_at = created_at - make_interval(days => $2) where id = any ($1)`,
    [[reports].flat(), days],
  )
}

/**
 * Planned work that a request has made begins so many hours from now, or began before now when they
 * are negative. It is as long as it was; `knownFor`: the hours that it has been planned for.
 */
export async function moveWork(
  window: number,
  { startsIn, knownFor = 0 }: { startsIn: number; knownFor?: number },
): Promise<void> {
  await query(
    `update maintenance_windows set
       starts_at = now() + make_interval(mins => $2),
       ends_at = now() + make_interval(mins => $2) + (ends_at - starts_at),
       known_since = least(known_since, now() - make_interval(mins => $3))
     where id = $1`,
    [window, Math.round(startsIn * 60), Math.round(knownFor * 60)],
  )
}

/** The ten minutes are over in which followers of an asset get no second email. */
export async function tenMinutesPass(): Promise<void> {
  await query(`update asset_notifications set notified_at = notified_at - interval '10 minutes'`)
}
