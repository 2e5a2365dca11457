import { cpSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Query, query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { eventNames } from '../../src/vocabulary/events.js'
import { asOwnerOf } from '../../tools/torture/asOwner.js'
import { type Evidence, violations } from '../../tools/torture/checker.js'
import { filesIn } from '../../tools/torture/checks/photos.js'
import { shownAt } from '../../tools/torture/checks/status.js'
import { History, readHistory } from '../../tools/torture/history.js'
import { write } from '../../tools/torture/workload.js'
import { inDatabase } from '../support/database.js'
import { useHouse } from '../support/house/house.js'
import { keys } from '../support/keys.js'
import { picture } from '../support/pictures.js'
import { newFolder } from '../support/run/folders.js'
import { drawsOf } from '../support/run/random.js'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.js'
import { sendAll } from '../support/webhooks/sending.js'

const house = useHouse()
const folder = newFolder()

let receiver: Receiver
let evidence: Evidence

beforeAll(work)
afterAll(async () => {
  await receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the checker', () => {
  const sql = (text: string) => async (copy: Copy) =>
    expect(await copy.query(`${text} returning 1`)).not.toEqual([])

  const oneOf = (table: string, where = 'true') => `(select min(id) from ${table} where ${where})`
  const ours = (column: string) => `${column} like 'Fault%'`
  const entry = `at, actor_type, actor_id, actor_name, action, entity, entity_id, changes, via, request_id, affects_status, transaction_id`
  const escalation = (changes: string) => `
  insert into audit_entries (${entry}) select now(), 'system', null, 'System', 'incident.sla_breached',
    'incident', i.id, '${changes}', 'cron', null, true, pg_current_xact_id() from incidents i, generate_series(1, 2)
  where i.id = ${oneOf('incidents', ours('title'))}`

  /** Tells another story of every attempt. */
  const withAttempt = (change: (one: Attempt, operation: Operation) => Attempt) => (copy: Copy) => {
    copy.operations = evidence.operations.map((each) => ({
      ...each,
      attempts: each.attempts.map((one) => change(one, each)),
    }))
  }

  const planted: Record<string, Planted> = {
    'an acknowledged write that is lost': {
      tamper: sql(
        `delete from maintenance_windows where id = ${oneOf('maintenance_windows', ours('title'))}`,
      ),
      says: /maintenance .*acknowledged, but not there/,
    },
    'a write without its audit entry': {
      tamper: sql(
        `delete from audit_entries where id = (select max(id) from audit_entries where action = 'incident.commented')`,
      ),
      says: /stored with 0 audit entries/,
    },
    'a write with two audit entries': {
      tamper: sql(`insert into audit_entries (${entry}) select ${entry} from audit_entries
      where id = (select max(id) from audit_entries where action = 'incident.commented')`),
      says: /stored with 2 audit entries/,
    },
    'a refused write that is stored': {
      tamper: withAttempt((one, { act }) => (act === 'report' ? { ...one, outcome: 'refused' } : one)),
      says: /refused .*, but stored/,
    },
    'a key that made two': {
      tamper: (copy) => {
        copy.operations = evidence.operations.map((each) =>
          each.key ? { ...each, attempts: [...each.attempts, { ...each.attempts[0]!, made: 1 }] } : each,
        )
      },
      says: /one key made/,
    },
    'an incident nobody follows': {
      tamper: sql(
        `delete from followers where incident_id = (select max(id) from incidents where ${ours('title')})`,
      ),
      says: /an incident its reporter does not follow/,
    },
    'an incident escalated twice': {
      tamper: sql(escalation('{}')),
      says: /an incident escalated twice/,
    },
    'a photo whose bytes are cut': {
      tamper: ({ photoDir, photo }) => truncateSync(path.join(photoDir, photo), 100),
      says: /photo .* has 100 of \d+ bytes/,
    },
    'a photo without bytes': {
      tamper: ({ photoDir, photo }) => rmSync(path.join(photoDir, photo)),
      says: /has a row and no bytes/,
    },
    'bytes without a photo': {
      tamper: ({ photoDir }) => {
        mkdirSync(path.join(photoDir, 'ab/cd'), { recursive: true })
        writeFileSync(path.join(photoDir, `ab/cd/abcd${'0'.repeat(28)}.jpg`), 'bytes')
      },
      says: /has bytes and no row/,
    },
    'a webhook delivered twice': {
      tamper: (copy) => {
        copy.received = [...evidence.received, evidence.received[0]!]
      },
      says: /delivered twice/,
    },
    'a webhook that says something else': {
      tamper: (copy) => {
        copy.received = evidence.received.map((each) => ({ ...each, raw: Buffer.from('{}') }))
      },
      says: /with other words than were written/,
    },
    'an event nobody is told of': {
      tamper: sql(`delete from webhook_deliveries where id = ${oneOf('webhook_deliveries')}`),
      says: /an event without its delivery/,
    },
    'an email to nobody': {
      tamper: (copy) => {
        copy.emails = [{ name: 'nobody', to: 'nobody@example.com' }]
      },
      says: /an email of no row/,
    },
    'a merge in a circle': {
      tamper: sql(`update incidents s set status = 'verified', merged_into_id = d.id,
      acknowledged_at = coalesce(s.acknowledged_at, now()), resolved_at = coalesce(s.resolved_at, now()),
      verified_at = now()
      from incidents d where d.merged_into_id = s.id and ${ours('d.title')}`),
      says: /a duplicate of a duplicate/,
    },
    'impacts that overlap': {
      tamper: sql(`insert into asset_impacts (incident_id, asset_id, impact, started_at, ended_at)
      select incident_id, asset_id, impact, started_at + interval '1 hour', started_at + interval '2 hours'
      from asset_impacts where ended_at is null`),
      says: /INC-\d+ does \w+ from .* and \w+ from/,
    },
    'a gap between impacts': {
      tamper: sql(`update asset_impacts r set started_at = started_at + interval '5 milliseconds'
      from incidents i where i.id = r.incident_id and ${ours('i.title')} and ended_at is null`),
      says: /INC-\d+ did \[.*\], its life says/,
    },
    'a timeline in another order': {
      tamper: sql(`update incident_updates u set created_at = created_at - interval '1 hour'
      where id = (select max(id) from incident_updates where ${ours('body')} and incident_id in (
        select incident_id from incident_updates where ${ours('body')} group by 1 having count(*) > 1))`),
      says: /of the timeline is older than the one before it/,
    },
    'an order that no client saw': {
      tamper: withAttempt((one) => ({ ...one, sent: -one.sent, answered: -(one.answered ?? 0) })),
      says: /was asked for after a later one was answered/,
    },
    'a status that is not what the log says': {
      tamper:
        sql(`update incidents set status = 'in_progress', acknowledged_at = coalesce(acknowledged_at, created_at)
      where status in ('open', 'acknowledged') and ${ours('title')}`),
      says: /INC-\d+ is in_progress, its last change says/,
    },
    'a kept status that is stale': {
      tamper: sql(
        `update assets set announced_status = case announced_status when 'down' then 'degraded' else 'down' end
       where id = 1`,
      ),
      says: /was announced/,
    },
    'an answer that no fault excuses': {
      tamper: withAttempt((one) => ({ ...one, status: 500 })),
      says: /answered 500/,
    },
    'an answer that was for somebody else': {
      tamper: withAttempt((one) => ({ ...one, status: 403, code: 'forbidden' })),
      says: /answered 403 forbidden/,
    },
  }

  it('has nothing to say of a building that kept its word', async () => {
    expect(evidence.operations.length).toBeGreaterThanOrEqual(writes)
    expect(await violations(evidence)).toEqual([])
  })

  it.each(Object.entries(planted))('names %s', async (name, { tamper, says }) => {
    const photoDir = path.join(folder, name)
    cpSync(evidence.photoDir, photoDir, { recursive: true })
    const [photo] = await query<{ path: string }>(
      `select p.path from photos p join incidents i on i.id = p.incident_id where ${ours('i.title')} limit 1`,
    )
    expect(filesIn(photoDir)).toContain(photo!.path)
    await asTamperer(async (tampered) => {
      const copy = { ...evidence, query: tampered, photoDir, photo: photo!.path }
      await tamper(copy)
      expect(await violations(copy)).toContainEqual(expect.stringMatching(says))
    })
  })
})

/** Writes of the building that is then tampered with; always the same ones. */
const [seed, writes] = [4, 90]

/** A building that worked for a while and broke no word. */
async function work(): Promise<void> {
  receiver = await startReceiver()
  await query(`insert into webhook_subscriptions (url, secret, events) values ($1, 'receiver-secret', $2)`, [
    receiver.url(),
    eventNames,
  ])
  const origin = house.origin()
  const history = new History(path.join(folder, 'history.jsonl'))
  const cookies = Object.fromEntries(
    await Promise.all(
      ['resident', 'manager', 'admin'].map(async (who) => [who, await house.signIn(`${who}@example.com`)]),
    ),
  )
  let left = writes
  await write(
    {
      history,
      cookies,
      origins: [origin],
      random: drawsOf(seed),
      pictures: [await picture(), await picture()],
      rest: 0,
      isOver: () => left-- <= 0,
    },
    1,
  )
  await announceStatus(null)
  await sendAll()
  evidence = {
    query,
    operations: readHistory(history.file),
    photoDir: config.photoDir,
    received: receiver.received,
    emails: [],
    shown: [await shownAt(origin, { authorization: `Bearer ${keys.MOBILE_API_KEY}` })],
  }
}

/** What somebody tampers with: the database as its owner, and copies of all the rest. */
type Copy = { -readonly [K in keyof Evidence]: Evidence[K] } & { photo: string }

type Planted = { tamper: (copy: Copy) => unknown; says: RegExp }
type Operation = Evidence['operations'][number]
type Attempt = Operation['attempts'][number]

/** The database as its owner, who may do what the program cannot; and nothing of it stays. */
async function asTamperer(act: (query: Query) => Promise<void>): Promise<void> {
  const owner = inDatabase(inject('ownerUrl'), new URL(house.url()).pathname.slice(1))
  await asOwnerOf(owner, async (ask) => {
    await ask('begin')
    try {
      for (const table of ['audit_entries', 'incidents'])
        await ask(`alter table ${table} disable trigger user`)
      await act(ask)
    } finally {
      await ask('rollback')
    }
  })
}
