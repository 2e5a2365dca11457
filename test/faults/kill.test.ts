import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { query } from '../../src/database.js'
import { eventNames } from '../../src/domain/webhooks/events.js'
import { messageName } from '../../src/mails/renderedEmail.js'
import { demoPassword } from '../../src/welcome.js'
import { cookieOf } from '../support/app.js'
import { useDatabase } from '../support/database.js'
import { keys } from '../support/keys.js'
import { startCaretaker, startWorker } from '../support/process.js'
import { perRun } from '../support/suite/extent.js'
import { drawing } from '../support/suite/random.js'

/** Long enough for some kills in every run; FAULT_SECONDS=60 for a long one. */
const { seconds, least } = perRun({
  quick: { seconds: 2, least: { kills: 2, reports: 5 } },
  whole: { seconds: Number(process.env.FAULT_SECONDS ?? 10), least: { kills: 5, reports: 20 } },
})

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

describe('kill -9 at random moments', () => {
  it(
    'loses no acknowledged write, leaves nothing half-done, repeats nothing',
    async () => {
      const { number: draw, pick } = drawing()
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
      const cookies = {
        manager: await signIn(web.origin, 'manager@example.com'),
        resident: await signIn(web.origin, 'resident@example.com'),
      }
      const acknowledged: number[] = []
      let kills = 0
      let over = false
      const until = Date.now() + seconds * 1000
      /** On a busy machine there is less of everything in the same time: then it takes longer. */
      const enough = () => Date.now() > until && kills >= least.kills && acknowledged.length > least.reports

      /** One request; whatever a kill does to it, the run goes on. */
      const send = async (
        who: 'mobile' | 'resident' | 'manager' | 'cron',
        address: string,
        json: unknown,
      ) => {
        const credential =
          who === 'manager' || who === 'resident'
            ? { cookie: cookies[who] }
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
        while (!over) {
          const made = await send(draw() < 0.5 ? 'mobile' : 'resident', '/api/incidents', {
            assetId: 1 + Math.floor(draw() * 12),
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
          await send('mobile', `/api/incidents/${id}/verify`, { fixed: draw() < 0.5 })
          if (draw() < 0.2)
            await send('manager', `/api/incidents/${id}/merge`, { targetId: pick(acknowledged) })
          if (draw() < 0.1) await send('cron', '/api/cron/sweep', {})
        }
      })
      while (!enough()) {
        await pause(400 + draw() * 1200)
        if (draw() < 0.6) {
          await web.end('SIGKILL')
          web = await startCaretaker(env)
        } else {
          await worker.end('SIGKILL')
          worker = await startWorker(env)
        }
        kills += 1
      }
      over = true
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

      expect(await count('select count(*) as n from incidents where id = any ($1)', [acknowledged])).toBe(
        acknowledged.length,
      )
      expect(await problems()).toEqual([])
      const mails = mailsIn(path.join(folder, 'outbox'))
      expect(await wrongMails(mails)).toEqual([])
      expect(mails.length).toBeGreaterThan(least.reports)
      const ids = received.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(await wrongDeliveries(ids)).toEqual([])
      expect(received.length).toBeGreaterThan(least.reports)
    },
    (seconds + 240) * 1000,
  )
})

async function signIn(origin: string, email: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  })
  return cookieOf(answer)
}

async function count(sql: string, values: unknown[] = []): Promise<number> {
  return (await query<{ n: number }>(sql, values))[0]!.n
}

/** SQL: each escalation each person is told of; what one sweep says to one person is one row, the others under `more`. */
const escalationsTold = `
  select o.id, o.recipient_id, o.kind, told.incident_id
  from outbox o cross join lateral (
    select o.incident_id union all
    select (m ->> 'incidentId')::integer from jsonb_array_elements(o.payload -> 'more') m
  ) told
  where o.event = 'incident.sla_breached'`

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
    'an event still to be spread': 'select id from webhook_events',
    'an incident escalated twice': `select entity_id as id from audit_entries where action = 'incident.sla_breached' group by 1 having count(*) > 1`,
    'a breach without its entry': `
      select id from incidents where title = 'Fault' and sla_breached and not exists (select 1 from audit_entries a where a.entity = 'incident' and a.entity_id = incidents.id and a.changes -> 'slaBreached' ->> 'after' = 'true')`,
    'a duplicate of a duplicate': `select d.id from incidents d join incidents s on s.id = d.merged_into_id where s.merged_into_id is not null`,
    'an asset announced twice for one change, or not for one': `
      select entity_id as id from (
        select entity_id, changes -> 'status' ->> 'before' as before, changes -> 'status' ->> 'after' as after,
          lag(changes -> 'status' ->> 'after') over (partition by entity_id order by id) as last
        from audit_entries, (select min(created_at) as start from webhook_subscriptions) s
        where action = 'asset.status_changed' and at >= s.start) chain
      where before = after or before <> last`,
    'an asset whose last announcement is not the one it shows': `
      select * from (
        select distinct on (entity_id) entity_id as id, changes -> 'status' ->> 'after' as after
        from audit_entries, (select min(created_at) as start from webhook_subscriptions) s
        where action = 'asset.status_changed' and at >= s.start order by entity_id, audit_entries.id desc) newest
      where not exists (select 1 from assets a where a.id = newest.id and a.announced_status = newest.after)`,
    'a follower to be told twice that an incident was escalated': `
      select incident_id as id from (${escalationsTold}) told group by incident_id, recipient_id, kind having count(*) > 1`,
    'an escalation its follower is not to be told of': `
      select i.id from incidents i join users u on u.id = i.reporter_id
      where i.title = 'Fault' and not u.is_mobile_reporter
        and exists (select 1 from audit_entries a where a.action = 'incident.sla_breached' and a.entity_id = i.id)
        and not exists (select 1 from (${escalationsTold}) o where o.incident_id = i.id and o.recipient_id = u.id)`,
    'a stamp out of order': `select id from incidents where acknowledged_at < created_at or resolved_at < created_at`,
  }
  const found: string[] = []
  for (const [what, sql] of Object.entries(checks))
    for (const { id } of await query(sql)) found.push(`${what}: ${id}`)
  return found
}

type MailFile = { name: string; to: string }

/** The mails of the outbox folder: the name in the Message-ID, which is made of an outbox row, and whom it is to. */
function mailsIn(outbox: string): MailFile[] {
  return readdirSync(outbox)
    .filter((file) => file.endsWith('.eml') && !file.startsWith('.'))
    .map((file) => {
      const text = readFileSync(path.join(outbox, file), 'utf8')
      const header = (name: RegExp) => name.exec(text)?.[1] ?? `no ${name} in ${file}`
      return { name: header(/^Message-ID:\s+<([\w-]+)@/im), to: header(/^To: (?:.*<)?([^<>\s]+)>?\s*$/im) }
    })
}

/** Each file is one row's mail to its recipient, no two of them the same escalation to the same person; none that was sent is missing. */
async function wrongMails(mails: MailFile[]): Promise<unknown[]> {
  const rows = await query<{ id: number; createdAt: Date; incidentId: number | null }>(
    `select id, created_at as "createdAt", incident_id as "incidentId" from outbox where kind = 'mail'`,
  )
  const rowOf = new Map(rows.map((row) => [messageName(row), row.id]))
  return query(
    `with files as (select f.id, f.address from unnest($1::bigint[], $2::text[]) as f (id, address)),
       known as (
         select o.id, f.address from files f
         join outbox o on o.id = f.id left join users u on u.id = o.recipient_id
           left join mail_followers m on m.id = o.mail_follower_id
         where coalesce(u.email, m.address) = f.address)
     select 'of no row, or to somebody else' as wrong, id::text as what from files where id not in (select id from known)
     union all select 'twice in the folder', id::text from files group by id having count(*) > 1
     union all select 'escalation told twice', known.address || ' ' || told.incident_id
       from known join (${escalationsTold}) told on told.id = known.id
       group by known.address, told.incident_id having count(*) > 1
     union all select 'sent, but not there', o.id::text from outbox o
       where o.kind = 'mail' and o.sent_at is not null and o.last_error is null and o.id not in (select id from files)`,
    [mails.map(({ name }) => rowOf.get(name) ?? 0), mails.map(({ to }) => to)],
  )
}

/** What arrived is what was written, and what was noted as arrived did. */
async function wrongDeliveries(ids: string[]): Promise<unknown[]> {
  return query(
    `with arrived as (select unnest($1::uuid[]) as id)
     select 'of nothing that happened' as wrong, id from arrived where id not in (select event_id from webhook_deliveries)
     union all select 'noted, but not arrived', event_id from webhook_deliveries
       where status = '200' and event_id not in (select id from arrived)`,
    [ids],
  )
}
