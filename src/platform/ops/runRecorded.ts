import { beginRun, endRun, type Job, type StartedBy } from './jobRun.js'
import { inSpan } from './tracing.js'

/**
 * Runs a job and records it in the run table. Null, and nothing done, when another run has the
 * period already.
 */
export async function runRecorded<T>(
  job: Job,
  { via, period = null }: { via: StartedBy; period?: string | null },
  work: () => Promise<T>,
  summary: (result: T) => unknown = (result) => result,
): Promise<T | null> {
  const run = await beginRun(job, via, period)
  if (run === null) return null
  try {
    const attributes = { 'caretaker.job.run': run, 'caretaker.job.via': via }
    const result = await inSpan({ name: `job ${job}`, attributes }, work)
    await endRun(run, { result: summary(result) })
    return result
  } catch (error) {
    await endRun(run, { error: `${(error as Error).name}: ${(error as Error).message}` }).catch(() => {})
    throw error
  }
}
