import { query } from '../../database.js'

/** The scheduled jobs, and the ways to start them. */
export type Job = 'sweep' | 'digest' | 'tidy' | 'tick'
export type StartedBy = 'cron' | 'cli' | 'scheduler'

/**
 * Begins a run of the job; returns its id. A period has one run ever, in any process: null when it exists.
 * Writes no audit entry.
 */
export async function beginRun(job: Job, via: StartedBy, period: string | null): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    'insert into job_runs (job, via, period) values ($1, $2, $3) on conflict (job, period) do nothing returning id',
    [job, via, period],
  )
  return row?.id ?? null
}

/** Stores a run's result, or the kind of error that ended it. */
export async function endRun(id: number, outcome: { result: unknown } | { error: string }): Promise<void> {
  const result = 'result' in outcome ? JSON.stringify(outcome.result) : null
  const error = 'error' in outcome ? outcome.error.slice(0, 500) : null
  await query('update job_runs set finished_at = now(), result = $2, error = $3 where id = $1', [
    id,
    result,
    error,
  ])
}
