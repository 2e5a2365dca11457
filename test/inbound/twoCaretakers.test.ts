import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { type FolderEmail, startWorld, type World } from '../support/anonymity/worlds.js'
import { keys } from '../support/keys.js'

/**
 * Two buildings that write to each other's address for reports, each a server with a database and a
 * mailbox of its own. Whatever begins it, it ends: one may answer, and its answer is not answered.
 */
let a: Building
let b: Building

beforeAll(async () => {
  const opened = await Promise.all([open('a'), open('b')])
  a = opened[0]
  b = opened[1]
  await Promise.all(opened.map((building) => building.quiet()))
  newEmails()
}, 240_000)
afterAll(() => Promise.all([a, b].map((building) => building?.end())))

describe('two Caretakers that write to each other', () => {
  let n = 0

  /**
   * How a provider hands an email on. `proven`: DMARC passed, as it does between two such servers.
   */
  const providers: Record<string, Post> = {
    'as they were sent, proven': (to, { raw }, from) => {
      const verdict = `mx.${to.name}.example; dmarc=pass header.from=${from.split('@')[1]}`
      return postTo(to, 'message/rfc822', `Authentication-Results: ${verdict}\r\n${raw}`)
    },
    'as they were sent': (to, { raw }) => postTo(to, 'message/rfc822', raw),
    'without headers': (to, { email }) => {
      const [subject, from] = [email.header('Subject'), email.header('From')]
      return postTo(
        to,
        'application/json',
        JSON.stringify({ from, subject, text: email.text, html: email.html }),
      )
    },
    'as text alone': (to, { email }) => {
      const [subject, from] = [email.header('Subject'), email.header('From')]
      return postTo(to, 'application/json', JSON.stringify({ from, subject, text: email.text }))
    },
  }

  /** What makes building A write to B's address. */
  const beginnings: Record<string, () => Promise<unknown>> = {
    'a report that came from the other’s address': async () => {
      const json = { from: b.address, subject: `Water ${++n}`, text: `It drips ${n}.` }
      expect((await postTo(a, 'application/json', JSON.stringify(json))).status).toBe(200)
    },
    'a report by an account with the other’s address, which hears of it': async () => {
      await a.sql(
        `insert into users (name, email, role, password_hash)
       select 'The management', $1, 'manager', password_hash from users where email = 'manager@example.com'
       on conflict do nothing`,
        [b.address],
      )
      const headers = await signInTo(a, b.address)
      const { id } = await postToA<{ id: number }>('/api/incidents', headers, {
        assetId: 7,
        title: `The pump is loud ${++n}`,
        severity: 'low',
      })
      const office = await signInTo(a, 'manager@example.com')
      await postToA(`/api/incidents/${id}/updates`, office, { body: 'We look.', newStatus: 'acknowledged' })
    },
    'a report that is assigned to the other': async () => {
      const office = await signInTo(a, 'manager@example.com')
      const report = { assetId: 7, title: `The gate sticks ${++n}`, severity: 'low' }
      const { id } = await postToA<{ id: number }>('/api/incidents', office, report)
      const contact = { name: 'The others', email: b.address }
      const { id: contactId } = await postToA<{ id: number }>('/api/admin/contacts', office, contact)
      await postToA('/api/admin/assign', office, { ids: [id], contactId })
    },
  }

  const cases = Object.keys(beginnings).flatMap((what) => Object.keys(providers).map((how) => [what, how]))

  it.each(cases)('stop after one round, begun by %s, with emails handed on %s', async (what, how) => {
    // No limit of what strangers are sent is what stops them.
    for (const { sql } of [a, b]) await sql('delete from throttles')
    await beginnings[what!]!()
    const passed = await rounds(providers[how!]!)
    expect(passed.length).toBeGreaterThan(0)
    expect(passed[0]).toMatch(/^a [1-9]\d*, b 0$/)
    // The other may answer once; that is not answered.
    expect(passed.length, passed.join('; ')).toBeLessThan(3)
  })
})

type Name = 'a' | 'b'

/** A building, and the emails of it that the postman has already taken on. */
type Building = World & { name: Name; address: string; taken: Set<string> }

function addressOf(name: Name) {
  return `reports@${name}.example`
}

/** It sends from the very address that reports go to, so that every answer comes in. */
async function open(name: Name): Promise<Building> {
  const address = addressOf(name)
  const world = await startWorld({
    SESSION_SECRET: `${keys.SESSION_SECRET}-${name}`,
    PUBLIC_URL: `http://${name}.example`,
    MAIL_FROM: `Building ${name} <${address}>`,
    INBOUND_ADDRESS: address,
    INBOUND_AUTHSERV_ID: `mx.${name}.example`,
  })
  return { ...world, name, address, taken: new Set() }
}

type Post = (to: Building, email: FolderEmail, from: string) => Promise<Response>

function postTo(to: Building, type: string, body: string) {
  return fetch(`${to.origin}/api/inbound-email`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.INBOUND_EMAIL_SECRET}`, 'content-type': type },
    body,
  })
}

/** What the buildings have sent each other since the last look, by sender. */
function newEmails(): { from: Building; to: Building; email: FolderEmail }[] {
  return [a, b].flatMap((from) => {
    const to = from === a ? b : a
    return from
      .emails()
      .filter(({ email }) => !from.taken.has(email.header('Message-ID')))
      .flatMap((email) => {
        from.taken.add(email.email.header('Message-ID'))
        return email.to === to.address ? [{ from, to, email }] : []
      })
  })
}

/** Rounds of emails until neither sends any more, each as who wrote and how many; ten at most. */
async function rounds(post: Post): Promise<string[]> {
  const passed: string[] = []
  while (passed.length < 10) {
    await Promise.all([a, b].map((building) => building.quiet()))
    const waiting = newEmails()
    if (waiting.length === 0) break
    const ofA = waiting.filter(({ from }) => from === a).length
    passed.push(`a ${ofA}, b ${waiting.length - ofA}`)
    for (const { from, to, email } of waiting) expect((await post(to, email, from.address)).status).toBe(200)
  }
  return passed
}

async function signInTo({ request }: Building, email: string): Promise<Record<string, string>> {
  const answer = await request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  })
  expect(answer.status).toBe(200)
  const cookies = answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)
  return { cookie: cookies.map((each) => each.split(';')[0]).join('; ') }
}

/** Posts to building A, which must take it. */
async function postToA<T>(path: string, headers: Record<string, string>, json: object): Promise<T> {
  const answer = await a.request(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`)
  return JSON.parse(answer.body.toString()) as T
}
