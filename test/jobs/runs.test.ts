import { afterEach, describe, expect, it } from 'vitest'
import { sendDigest } from '../../src/notifications/digest/sendDigest.js'
import { query } from '../../src/platform/db/database.js'
import { jobStates, runRecorded } from '../../src/platform/db/jobRun.js'
import { type Job, jobNames } from '../../src/vocabulary/jobs.js'
import { systemActor } from '../../src/vocabulary/people/actor.js'
import { useDatabase } from '../support/database.js'

useDatabase()
afterEach(async () => {
  await query('delete from job_runs')
  await query(`delete from outbox where event = 'digest'`)
})

const period = '2026-11-16'

describe.each(jobNames)('the scheduled job %s', (job) => {
  it('that fails is run again in its period, until it succeeds once', async () => {
    const work = async () => 'done'
    for (let i = 0; i < 2; i++)
      await expect(recorded(job, () => Promise.reject(new Error('a lock')))).rejects.toThrow('a lock')
    expect(await recorded(job, work)).toBe('done')
    expect(await recorded(job, work)).toBeNull()
    expect(await query('select period, error from job_runs order by id')).toEqual([
      { period: null, error: 'Error: a lock' },
      { period: null, error: 'Error: a lock' },
      { period, error: null },
    ])
  })

  it('is begun by one of many at once, also after a failure', async () => {
    await recorded(job, () => Promise.reject(new Error('x'))).catch(() => {})
    const runs = await Promise.all(Array.from({ length: 8 }, () => recorded(job, async () => 'done')))
    expect(runs.filter((result) => result === 'done')).toHaveLength(1)
  })

  it('whose process was killed is left alone while it may still run, then taken over by one', async () => {
    await killed(job, 9)
    expect(await recorded(job, async () => 'done')).toBeNull()
    await query(`update job_runs set started_at = now() - interval '11 minutes'`)
    const runs = await Promise.all(Array.from({ length: 8 }, () => recorded(job, async () => 'done')))
    expect(runs.filter((result) => result === 'done')).toHaveLength(1)
  })

  it('is known by its last success and its last failure', async () => {
    const state = async () => (await jobStates(jobNames)).find((each) => each.job === job)!
    expect(await state()).toMatchObject({ lastSuccessAt: null, lastFailureAt: null })
    await recorded(job, async () => 'done')
    expect(await state()).toMatchObject({ lastSuccessAt: expect.any(Date), lastFailureAt: null })
    await query('delete from job_runs')
    await killed(job, 11)
    expect(await state()).toMatchObject({ lastSuccessAt: null, lastFailureAt: expect.any(Date) })
  })
})

describe('the digest of a week', () => {
  it('is written once to a person, wherever its process was killed and whoever takes over', async () => {
    await digest()
    const once = await emailsByPerson()
    expect(once.length).toBeGreaterThan(0)
    expect(new Set(once)).toEqual(new Set([1]))
    // Killed after its emails were committed: the run has no end.
    await query(`update job_runs set finished_at = null, started_at = now() - interval '11 minutes'`)
    const audited = () => query(`select 1 from audit_entries where action = 'digest.sent'`)
    const before = (await audited()).length
    expect(await digest()).toMatchObject({ recipients: 0 })
    expect(await emailsByPerson()).toEqual(once)
    expect((await audited()).length).toBe(before)
  })

  it('is still written when the first try failed', async () => {
    await query(`delete from outbox where event = 'digest'`)
    await recorded('digest', () => Promise.reject(new Error('55P03'))).catch(() => {})
    expect(await emailsByPerson()).toEqual([])
    await digest()
    expect(new Set(await emailsByPerson())).toEqual(new Set([1]))
  })

  it('asked for by hand is sent every time, and no other week’s either', async () => {
    await digest()
    await sendDigest(systemActor('cli'))
    await runRecorded('digest', { via: 'scheduler', period: '2026-11-23' }, () =>
      sendDigest(systemActor('scheduler'), '2026-11-23'),
    )
    expect(new Set(await emailsByPerson())).toEqual(new Set([3]))
  })
})

function recorded(job: Job, work: () => Promise<unknown>) {
  return runRecorded(job, { via: 'scheduler', period }, work)
}

function digest() {
  return recorded('digest', () => sendDigest(systemActor('scheduler'), period))
}

async function emailsByPerson() {
  return (
    await query(
      `select recipient_id as who, count(*) as emails from outbox where event = 'digest' group by 1`,
    )
  ).map(({ emails }) => emails)
}

/** As if the process that began it had been killed so many minutes ago. */
function killed(job: Job, minutes: number) {
  return query(
    `insert into job_runs (job, via, period, started_at)
     values ($1, 'scheduler', $2, now() - make_interval(mins => $3))`,
    [job, period, minutes],
  )
}
