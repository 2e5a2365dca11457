import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { query } from '../../src/database.js'
import { eventNames } from '../../src/domain/events.js'
import { demoPassword } from '../../src/welcome.js'
import { cookieOf } from '../support/app.js'
import { useDatabase } from '../support/database.js'
import { keys } from '../support/keys.js'
import { startCaretaker, startWorker } from '../support/process.js'

/** Long enough for some ten kills in every run; FAULT_SECONDS=60 for the long one. */
const seconds = Number(process.env.FAULT_SECONDS ?? 12)

const database = useDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'caretaker-faults-'))
const received: { id: string; event: string }[] = []
const receiver = createServer((req, res) => {
  let body = ''
  req.on('data', (chunk) => {
    body += chunk
  })
  req.on('end', () => {
    received.push({ id: String(req.headers['webhook-id']), event: JSON.parse(body).event })
    res.end()
  })
})
afterAll(() => {
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const pick = <T>(items: T[]): T | undefined => items[Math.floor(Math.random() * items.length)]

describe('kill -9 at random moments', () => {
  it(
    'loses no acknowledged write, leaves nothing half-done, repeats nothing',
    async () => {
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
      const { port: receiverPort } = receiver.address() as AddressInfo
      await query(`insert into webhook_subscriptions (url, secret, events) values ($1, 'secret', $2)`, [
        `http://127.0.0.1:${receiverPort}/`,
        eventNames,
      ])
      const env = {
        DATABASE_URL: database(),
        DATA_DIR: folder,
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        SLA_HOURS_LOW: '0.001',
        SLA_HOURS_MEDIUM: '0.001',
        THROTTLE_REPORTS: '0',
        THROTTLE_WRITES: '0',
        ...keys,
      }
      let web = await startCaretaker(env)
      let worker = await startWorker(env)
      const cookie = cookieOf(
        await fetch(`${web.origin}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'manager@example.com', password: demoPassword }),
        }),
      )
      const acknowledged: number[] = []
      const until = Date.now() + seconds * 1000

      /** One request; whatever a kill does to it, the run goes on. */
      const send = async (who: 'mobile' | 'manager' | 'cron', address: string, json: unknown) => {
        const credential =
          who === 'manager'
            ? { cookie }
            : { authorization: `Bearer ${who === 'cron' ? keys.CRON_SECRET : keys.MOBILE_API_KEY}` }
        const headers = { 'content-type': 'application/json', ...credential }
        const asked = fetch(web.origin + address, {
          method: 'POST',
          headers,
          body: JSON.stringify(json),
          signal: AbortSignal.timeout(5000),
        })
        return asked
          .then(async (answer) => ({ status: answer.status, body: (await answer.json()) as { id?: number } }))
          .catch(() => null)
      }

      const writers = Array.from({ length: 6 }, async () => {
        while (Date.now() < until) {
          const made = await send('mobile', '/api/incidents', {
            assetId: 1 + Math.floor(Math.random() * 12),
            title: 'Fault',
            severity: pick(['low', 'medium', 'high', 'critical']),
          })
          if (made?.status === 201) acknowledged.push(made.body.id!)
          else await pause(50)
          const id = pick(acknowledged)
          if (id === undefined) continue
          await send('manager', `/api/incidents/${id}/updates`, {
            body: 'x',
            newStatus: pick(['acknowledged', 'in_progress', 'resolved']),
          })
          await send('mobile', `/api/incidents/${id}/verify`, { fixed: Math.random() < 0.5 })
          if (Math.random() < 0.2)
            await send('manager', `/api/incidents/${id}/merge`, { targetId: pick(acknowledged) })
          if (Math.random() < 0.1) await send('cron', '/api/cron/sweep', {})
        }
      })
      let kills = 0
      while (Date.now() < until) {
        await pause(400 + Math.random() * 1200)
        if (Math.random() < 0.6) {
          await web.end('SIGKILL')
          web = await startCaretaker(env)
        } else {
          await worker.end('SIGKILL')
          worker = await startWorker(env)
        }
        kills += 1
      }
      await Promise.all(writers)
      await send('cron', '/api/cron/sweep', {})
      // Deliveries a killed process had claimed are given up after 30 s; all others go out now.
      for (
        let i = 0;
        i < 300 && (await count(`select count(*) as n from webhook_deliveries where claimed_at is null`)) > 0;
        i++
      )
        await pause(100)
      expect(await Promise.all([web.end(), worker.end()])).toEqual([0, 0])

      expect(kills).toBeGreaterThan(seconds / 4)
      expect(acknowledged.length).toBeGreaterThan(20)
      expect(await count('select count(*) as n from incidents where id = any ($1)', [acknowledged])).toBe(
        acknowledged.length,
      )
      expect(await problems()).toEqual([])
      const ids = received.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(received.length).toBeGreaterThan(20)
    },
    (seconds + 90) * 1000,
  )
})

async function count(sql: string, values: unknown[] = []): Promise<number> {
  return (await query<{ n: number }>(sql, values))[0]!.n
}

/** Everything that must hold of the tables whatever was killed when; each row is a violation. */
async function problems() {
  const checks: Record<string, string> = {
    'an incident without exactly one entry': `
      select i.id from incidents i left join audit_entries a on a.action = 'incident.created' and a.entity_id = i.id
      where i.title = 'Fault' group by i.id having count(a.id) <> 1`,
    'an incident its reporter does not follow': `
      select i.id from incidents i where title = 'Fault' and not exists (select 1 from followers f where f.incident_id = i.id and f.user_id = i.reporter_id)`,
    'a change of status without its entry, or the other way round': `
      select u.incident_id as id from incident_updates u where new_status is not null and body in ('x', 'It is fixed.', 'It is not fixed yet.')
      group by 1 having count(*) <> (
        select count(*) from audit_entries a where a.entity_id = u.incident_id and a.action in ('incident.status_changed', 'incident.verified', 'incident.reopened'))`,
    'an event without its delivery, or the other way round': `
      with told as (select event, count(*) as n from webhook_deliveries group by 1),
        acts as (
          select case when action in ('incident.verified', 'incident.reopened') then 'incident.status_changed' else action end as event, count(*) as n
          from audit_entries, (select min(created_at) as start from webhook_subscriptions) s
          where at >= s.start and action in ('incident.created', 'incident.status_changed', 'incident.verified', 'incident.reopened', 'incident.merged', 'incident.sla_breached', 'asset.status_changed')
          group by 1)
      select event as id from told full join acts using (event) where told.n is distinct from acts.n`,
    'an incident escalated twice': `select entity_id as id from audit_entries where action = 'incident.sla_breached' group by 1 having count(*) > 1`,
    'a breach without its entry': `
      select id from incidents where title = 'Fault' and sla_breached and not exists (select 1 from audit_entries a where a.action = 'incident.sla_breached' and a.entity_id = incidents.id)`,
    'a duplicate of a duplicate': `select d.id from incidents d join incidents s on s.id = d.merged_into_id where s.merged_into_id is not null`,
    'a stamp out of order': `select id from incidents where acknowledged_at < created_at or resolved_at < created_at`,
  }
  const found: string[] = []
  for (const [what, sql] of Object.entries(checks))
    for (const { id } of await query(sql)) found.push(`${what}: ${id}`)
  return found
}
