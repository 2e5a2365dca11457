import { query } from '../../database.js'

/** What runs on a schedule, and the ways it is started. */
export type Job = 'sweep' | 'digest' | 'tidy' | 'tick'
export type StartedBy = 'cron' | 'cli' | 'scheduler'

/**
 * Takes a run of the job. With a period it is the only one of that period, in any process, for good: null when somebody
 * else has it. A row of the run table, not an act: no audit entry.
 */
export async function beginRun(job: Job, via: StartedBy, period: string | null): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    'insert into job_runs (job, via, period) values ($1, $2, $3) on conflict (job, period) do nothing returning id',
    [job, via, period],
  )
  return row?.id ?? null
}

/** Notes what a run did, or the kind of error that ended it. */
export async function endRun(id: number, outcome: { result: unknown } | { error: string }): Promise<void> {
  const result = 'result' in outcome ? JSON.stringify(outcome.result) : null
  const error = 'error' in outcome ? outcome.error.slice(0, 500) : null
  await query('update job_runs set finished_at = now(), result = $2, error = $3 where id = $1', [
    id,
    result,
    error,
  ])
}
