import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { version } from '../../src/platform/process/version.js'
import { useDatabase } from '../support/database.js'
import { keys } from '../support/keys.js'
import { endOfCaretaker, startCaretaker, startWorker } from '../support/process.js'
import { count } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'
import { inWholeRun, itInWholeRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
const env = () => ({ DATABASE_URL: database(), DATA_DIR: folder, ...keys })
const bearer = { authorization: `Bearer ${keys.METRICS_TOKEN}` }
const patience = 180_000

describe('a worker', () => {
  it(
    'without a schedule says so, answers monitors with few connections, and lives until it is told to stop',
    async () => {
      const settings = { SCHEDULER: 'off', WORKER_PORT: '0', HOST: '127.0.0.1', DATABASE_POOL: '3' }
      const worker = await startWorker({ ...env(), ...settings })
      expect(worker.output()).toContain('SCHEDULER is off')
      expect(worker.output()).toContain(`"version":"${version}","msg":"working"`)
      const port = /"port":(\d+),"msg":"answering monitors"/.exec(worker.output())![1]
      const ask = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers })
      expect(await (await ask('/readyz', bearer)).json()).toMatchObject({ version, delivery: { mail: 'ok' } })
      expect(await (await ask('/readyz')).json()).not.toHaveProperty('version')
      expect(await (await ask('/metrics', bearer)).text()).toContain(
        'caretaker_outbox_waiting{kind="mail"} 0',
      )
      const n = await count(
        `pg_stat_activity
         where datname = current_database() and application_name = $1`,
        [`caretaker worker ${version}`],
      )
      expect(n).toBeGreaterThan(0)
      expect(n).toBeLessThanOrEqual(4)
      expect((await ask('/metrics')).status).toBe(401)
      expect((await ask('/', { accept: 'text/html' })).status).toBe(404)
      expect(await worker.end()).toBe(0)
      for (const said of ['stopping', 'stopped']) expect(worker.output()).toContain(`"msg":"${said}"`)
    },
    patience,
  )

  itInWholeRun(
    'whose email server never answers ends all the same, and its emails are another’s at once',
    async () => {
      const sockets = new Set<Socket>()
      // It greets, and then drips an answer without end, which only the longest of the
      // sender's limits would stop.
      const endless = createServer((socket) => {
        sockets.add(socket.on('error', () => {}))
        socket.write('220 here\r\n')
        const drip = setInterval(() => socket.write('250-wait\r\n'), 500)
        socket.on('close', () => clearInterval(drip))
      })
      await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
      const { port } = endless.address() as AddressInfo
      await query(
        `insert into outbox (kind, event, recipient_id, payload)
         select 'mail', 'account.notice', id, '{"notice": "password_changed"}' from users where not is_mobile_reporter`,
      )
      const worker = await startWorker({ ...env(), SCHEDULER: 'off', SMTP_URL: `smtp://127.0.0.1:${port}` })
      await eventually(() => expect(sockets.size).toBeGreaterThan(0))
      expect(await worker.end()).toBe(0)
      // The server's silence would have been an attempt, with its reason, had the
      // process waited for its end.
      const rows = await query(
        `select distinct attempts, next_attempt_at <= now() as due, last_error from outbox where sent_at is null`,
      )
      expect(rows).toEqual([{ attempts: 0, due: true, lastError: null }])
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => endless.close(resolve))
      await query('delete from outbox')
    },
    patience,
  )
})

inWholeRun(() => {
  describe('a web that is to end', () => {
    it(
      'is not ready for a while in which it still serves',
      async () => {
        const web = await startCaretaker({ ...env(), DRAIN_SECONDS: '600', LOG_LEVEL: 'info' })
        expect(web.output()).toContain(`"version":"${version}"`)
        expect((await fetch(`${web.origin}/readyz`)).status).toBe(200)
        const ended = web.end()
        await eventually(async () => {
          const ready = await fetch(`${web.origin}/readyz`)
          expect(await ready.json()).toMatchObject({ checks: { accepting: 'failed' } })
          expect(ready.status).toBe(503)
        })
        expect((await fetch(`${web.origin}/api/status`)).status).toBe(200)
        // That it ends when the while is over is in test/platform/http/drain.test.ts.
        web.child.kill('SIGKILL')
        expect(await ended).toBeNull()
        await expect(fetch(`${web.origin}/readyz`)).rejects.toThrow()
      },
      patience,
    )

    it(
      'says in production that nobody gets its emails, and logs no request with ACCESS_LOG=off',
      async () => {
        const settings = { ...env(), NODE_ENV: 'production', ALLOW_INSECURE_HTTP: 'true', ACCESS_LOG: 'off' }
        const web = await startCaretaker(settings)
        await fetch(`${web.origin}/incidents`)
        expect(await web.end()).toBe(0)
        expect(web.output()).toContain('SMTP_URL is not set')
        expect(web.output()).toContain('PUBLIC_URL is not set')
        expect(web.output()).not.toContain('"msg":"request"')
      },
      patience,
    )
  })
})

itInWholeRun(
  'a start that fails is one line of JSON, too',
  async () => {
    const { code, output } = await endOfCaretaker({
      ...env(),
      DATABASE_URL: database(),
      PORT: '0',
      HOST: '256.0.0.1',
    })
    expect(code).toBe(1)
    expect(output).toMatch(/^\{"level":"fatal".*"version":".*"msg":"stopped"\}$/m)
  },
  patience,
)
