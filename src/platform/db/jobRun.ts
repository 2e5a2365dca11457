import type { Job } from '../../vocabulary/jobs.js'
import { inSpan } from '../process/tracing.js'
import { query } from './database.js'

type StartedBy = 'cron' | 'cli' | 'scheduler'

/** Minutes after which a run without an end counts as killed; no job takes a tenth of that. */
const longestRun = 10

/**
 * Starts a run of the job; returns its id. A period has one run that succeeds, in any process: null
 * while it runs or once it did. One that was killed is taken over. Writes no audit entry.
 */
async function beginRun(job: Job, via: StartedBy, period: string | null): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    `insert into job_runs (job, via, period) values ($1, $2, $3)
     on conflict (job, period) do update set started_at = now(), via = excluded.via
       where job_runs.finished_at is null and job_runs.started_at < now() - make_interval(mins => $4)
     returning id`,
    [job, via, period, longestRun],
  )
  return row?.id ?? null
}

/** Stores a run's result, or the error that ended it: its period is then free for another run. */
async function endRun(id: number, result: string | null, error: string | null): Promise<void> {
  await query(
    `update job_runs set finished_at = now(), result = $2, error = $3::text,
       period = case when $3::text is null then period end
     where id = $1`,
    [id, result, error],
  )
}

/**
 * Each of these jobs with its last success and its last failure; null where there was none in the
 * months that runs are kept.
 */
export async function jobStates<J extends Job>(names: readonly J[]) {
  return query<{ job: J; lastSuccessAt: Date | null; lastFailureAt: Date | null; lastError: string | null }>(
    `select j.job, s.finished_at as last_success_at, f.at as last_failure_at, f.error as last_error
     from unnest($1::text[]) with ordinality j (job, n)
     left join lateral (
       select finished_at from job_runs r where r.job = j.job and r.finished_at is not null and r.error is null
       order by r.id desc limit 1
     ) s on true
     left join lateral (
       select coalesce(finished_at, started_at) as at, coalesce(error, 'never finished') as error from job_runs r
       where r.job = j.job and (r.error is not null
         or r.finished_at is null and r.started_at < now() - make_interval(mins => $2))
       order by r.id desc limit 1
     ) f on true
     order by j.n`,
    [names, longestRun],
  )
}

/** Runs a job and records it. Null, and nothing done, when another run has the period already. */
export async function runRecorded<T>(
  job: Job,
  { via, period = null }: { via: StartedBy; period?: string | null },
  work: () => Promise<T>,
): Promise<T | null> {
  const run = await beginRun(job, via, period)
  if (run === null) return null
  try {
    const attributes = { 'caretaker.job.run': run, 'caretaker.job.via': via }
    const result = await inSpan({ name: `job ${job}`, attributes }, work)
    await endRun(run, JSON.stringify(result), null)
    return result
  } catch (error) {
    const { name, message } = error as Error
    await endRun(run, null, `${name}: ${message}`.slice(0, 500)).catch(() => {})
    throw error
  }
}
