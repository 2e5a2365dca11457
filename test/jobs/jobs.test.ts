import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../src/app/sweep.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { systemActor } from '../../src/vocabulary/people/actor.js'
import { compiledFile } from '../support/compiled.js'
import { makePrivateBuilding, useDatabase } from '../support/database.js'
import { report } from '../support/house/report.js'
import { keys } from '../support/keys.js'
import { runJobProcess, startCaretaker, startWorker } from '../support/process.js'
import { eventually } from '../support/run/eventually.js'
import { inWholeRun, itInWholeRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()

describe('from the command line', () => {
  it('the sweep says what it escalated, as the system', async () => {
    await sweep(systemActor('cli'), config.slaTargets)
    const id = await overdue()
    expect(await runJobProcess('sweep', env())).toEqual({
      checked: expect.any(Number),
      escalated: [{ id, from: 'medium', to: 'high' }],
    })
    const [entry] = await query(
      `select via, actor_type from audit_entries where action = 'incident.sla_breached' and entity_id = $1`,
      [id],
    )
    expect(entry).toEqual({ via: 'cli', actorType: 'system' })
    expect((await runs('sweep')).at(-1)).toEqual({ via: 'cli', period: null, finished: true, error: null })
  })

  itInWholeRun('the digest is written to the outbox folder, one email for each of the staff', async () => {
    const result = await runJobProcess('digest', env())
    expect(result).toEqual({ recipients: 3, delivered: 3, outbox: path.join(folder, 'outbox') })
    expect(await runJobProcess('digest', env())).toMatchObject({ recipients: 3 })
  })

  itInWholeRun('tidying forgets what is only kept for a while', async () => {
    await query(
      `insert into idempotency_keys (caller, key, digest, made_id, created_at)
       values ('a', 'b', 'c', 1, now() - interval '2 days')`,
    )
    expect(await runJobProcess('tidy', env())).toMatchObject({ idempotencyKeys: 1, orphanedPhotos: 0 })
  })
})

inWholeRun(() => {
  describe('the thread of a job', () => {
    it('has written its last line when it is ended, however busy the process is', async () => {
      const log = pathToFileURL(await compiledFile('src/platform/process/log.ts')).href
      const script = `
      import { pbkdf2 } from 'node:crypto'
      import { isMainThread, parentPort, Worker } from 'node:worker_threads'
      import { log } from '${log}'
      if (isMainThread) {
        for (let i = 0; i < 5; i++) {
          const worker = new Worker(new URL(import.meta.url))
          await new Promise((resolve) => worker.once('message', resolve))
          await worker.terminate()
        }
      } else {
        // What the threads of the process have to do before they write to a file.
        for (let i = 0; i < 8; i++) pbkdf2('x', 'y', 50_000, 64, 'sha512', () => {})
        log.info('last words')
        parentPort.postMessage('done')
      }`
      const file = path.join(folder, 'lastWords.mjs')
      writeFileSync(file, script)
      const { stdout } = await promisify(execFile)(process.execPath, [file], {
        env: { ...env(), LOG_LEVEL: 'info' },
      })
      expect(stdout.match(/last words/g)).toHaveLength(5)
    })
  })
})

inWholeRun(() => {
  describe('the scheduler', () => {
    it('runs each job once a period, however many workers there are', async () => {
      await query('delete from job_runs')
      const id = await overdue()
      const workers = await Promise.all([startWorker(env()), startWorker(env())])
      await eventually(async () => {
        expect((await runs('sweep')).filter(({ finished }) => !finished)).toEqual([])
        expect(await query('select 1 from incidents where id = $1 and sla_breached', [id])).toHaveLength(1)
      })
      const swept = await runs('sweep')
      const run = { via: 'scheduler', period: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d$/) }
      expect(swept).toEqual(swept.map(() => ({ ...run, finished: true, error: null })))
      // An hour may have begun between the runs of the two.
      expect(new Set(swept.map(({ period }) => period)).size).toBe(swept.length)
      expect(swept.length).toBeGreaterThan(0)
      expect(await Promise.all(workers.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0])
    })

    itInWholeRun('runs inside the web process where there is no other', async () => {
      const data = path.join(folder, 'embedded')
      makePrivateBuilding(data)
      const server = await startCaretaker({ DATA_DIR: data })
      await eventually(async () => expect(server.output()).toMatch(/"job":"sweep","result":\{.*"msg":"job"/))
      expect(await server.end()).toBe(0)
    })
  })
})

function env() {
  return { DATABASE_URL: database(), DATA_DIR: folder, LOG_LEVEL: 'silent', ...keys }
}

/** A report that no one has acknowledged for eighty hours. */
function overdue(): Promise<number> {
  return report({ assetId: 1, createdAt: new Date(Date.now() - 80 * 3_600_000) })
}

function runs(job: string) {
  return query<{ via: string; period: string | null; finished: boolean; error: string | null }>(
    'select via, period, finished_at is not null as finished, error from job_runs where job = $1 order by id',
    [job],
  )
}
