import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { eventNames } from '../../../src/vocabulary/events.js'
import {
  type ArrivedEmail,
  arrivedEmail,
  emailFaults,
  webhookFaults,
} from '../../../tools/torture/checks/sent.js'
import { tableFaults } from '../../../tools/torture/checks/tables.js'
import { useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { startCaretaker, startWorker } from '../../support/process.js'
import { count } from '../../support/rows.js'
import { newFolder } from '../../support/run/folders.js'
import { drawing } from '../../support/run/random.js'
import { signedInAt } from '../../support/signedInAt.js'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.js'

/** Long enough for some kills in every run; FAULT_SECONDS=60 for a long one. */
const seconds = Number(process.env.FAULT_SECONDS ?? 10)

const database = useDatabase()
const folder = newFolder()
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver({ secret: 'secret' })
})
afterAll(() => receiver.stop())

it(
  'kill -9 at random moments loses no acknowledged write, leaves nothing half-done, repeats nothing',
  async () => {
    const { number: draw, pick } = drawing()
    await query(`insert into webhook_subscriptions (url, secret, events) values ($1, 'secret', $2)`, [
      receiver.url(),
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
    const cookies = await signedInAt(web.origin)
    const acknowledged: number[] = []
    let kills = 0
    let over = false
    const until = Date.now() + seconds * 1000
    /** On a busy machine there is less of everything in the same time: then it takes longer. */
    const enough = () => Date.now() > until && kills >= least.kills && acknowledged.length > least.reports

    /** One request; whatever a kill does to it, the run goes on. */
    const send = async (who: 'mobile' | 'resident' | 'manager' | 'cron', address: string, json: unknown) => {
      const credential =
        who === 'manager' || who === 'resident'
          ? { cookie: cookies[who]! }
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
    for (let i = 0; i < 300 && (await count('webhook_deliveries where claimed_at is null')) > 0; i++)
      await pause(100)
    expect(await Promise.all([web.end(), worker.end()])).toEqual([0, 0])

    expect(await count('incidents where id = any ($1)', [acknowledged])).toBe(acknowledged.length)
    expect(await tableFaults(query)).toEqual([])
    const emails = emailsIn(path.join(folder, 'outbox'))
    expect(await emailFaults(query, emails)).toEqual([])
    expect(emails.length).toBeGreaterThan(least.reports)
    expect(await webhookFaults(query, receiver.received)).toEqual([])
    expect(receiver.received.length).toBeGreaterThan(least.reports)
  },
  (seconds + 240) * 1000,
)

/**
 * The emails of the outbox folder: the name in the Message-ID, which is made of an
 * outbox row, and whom it is to.
 */
function emailsIn(outbox: string): ArrivedEmail[] {
  return readdirSync(outbox)
    .filter((file) => file.endsWith('.eml') && !file.startsWith('.'))
    .map((file) => {
      const text = readFileSync(path.join(outbox, file), 'utf8')
      return arrivedEmail(text, /^To: (?:.*<)?([^<>\s]+)>?\s*$/im.exec(text)?.[1] ?? `nobody in ${file}`)
    })
}

const least = { kills: 5, reports: 20 }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
