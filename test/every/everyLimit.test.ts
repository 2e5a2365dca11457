import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { load } from 'cheerio'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { hourlyEmails, quarantine } from '../../src/inbound/limits.js'
import { query } from '../../src/platform/db/database.js'
import { followLimit } from '../../src/platform/http/protection/throttle.js'
import { config } from '../../src/platform/ops/config.js'
import {
  countedLimits,
  type EmailBudget,
  type LimitName,
  strangerEmails,
} from '../../src/vocabulary/countedLimits.js'
import { bounds } from '../../src/vocabulary/limits.js'
import { type Asked, useApp, type Who } from '../support/app.js'
import { anIncident } from '../support/builders/incident.js'
import { checkout } from '../support/built.js'
import { browserOf, hiddenIn } from '../support/guests/browser.js'
import { forgetEmailFollowers } from '../support/mail/emailFollowers.js'
import { takeMessages } from '../support/mail/messages.js'
import { multipart, picture } from '../support/pictures.js'
import { queryAfterFanOut } from '../support/sending.js'
import { perRun } from '../support/suite/extent.js'

/** Behind a proxy every test can come from wherever it likes; few writes, so that they are quickly spent. */
vi.hoisted(() =>
  Object.assign(process.env, { TRUST_PROXY: 'true', THROTTLE_REPORTS: '5', THROTTLE_WRITES: '5' }),
)

const app = useApp()
const [shared, elsewhere] = ['192.0.2.1', '203.0.113.9']
const ours = 'mx.house.example'
let n = 0

const from = (address: string, who: Who, to: string, asked: Asked = {}) =>
  app.ask(who, to, { ...asked, headers: { 'x-forwarded-for': address, ...asked.headers } })
const times = async (count: number, act: (i: number) => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await act(i)
}
const isDone = async (answer: Promise<Response>) => (await answer).status < 300

const follow = (address: string, email: string) =>
  from(address, 'guest', '/api/follow', { json: { email, assetId: 7 } })
const report = (address: string, who: Who) =>
  from(address, who, '/api/incidents', { json: { assetId: 7, title: `Lamp ${n++}`, severity: 'low' } })
const comment = (address: string, who: Who, id: number, body = 'x') =>
  from(address, who, `/api/incidents/${id}/updates`, { json: { body } })

/** Uses up a limit at once. */
const useUp = (name: LimitName, share: string) =>
  query('insert into throttles (key, points, expire) values ($1, 1000000, $2)', [
    `${name}:${share}`,
    Date.now() + 3_600_000,
  ])
/** The share that the phones of the shared network have of the incident's timeline. */
const phones = () => `${id}:${createHash('sha256').update(`network:${shared}`).digest('base64url')}`

type Given = { from: string; subject?: string; isProven?: boolean }
/** What becomes of an email: created, appended, held, or refused for now. */
async function email({ from: sender, subject, isProven = false }: Given): Promise<string> {
  n += 1
  const verdict = `${ours}; dmarc=pass header.from=${sender.split('@')[1]}`
  const json = {
    ...{ from: sender, subject: subject ?? `Smell ${n}`, text: `Words ${n}.`, messageId: `<${n}@x.example>` },
    ...(isProven ? { headers: { 'Authentication-Results': verdict } } : {}),
  }
  const answer = await app.ask('inbound', '/api/inbound-email', { json })
  if (answer.status === 503) return 'refused'
  const { action, reason } = await answer.json()
  return reason ?? action
}
/** Takes the emails of this hour out of the count, and what waits out of the quarantine. */
const anHourLater = () => query(`update inbound_messages set received_at = received_at - interval '1 hour'`)
const fillQuarantine = (strangers: number, domain = `'d' || i || '.example'`) =>
  query(
    `insert into held_mails (received_at, domain, reason, title, description, skipped)
     select now(), ${domain}, 'total', 'x', '', '{"refused":[],"later":[]}' from generate_series(1, $1::integer) i`,
    [strangers],
  )

const evil = `'evil.example'`
/** So many emails of senders with this standing were taken in within this hour; `sender` and `domain` are SQL, of another address and domain each unless they say one. */
const takenIn = (
  standing: 'proven' | 'claimed' | 'stranger',
  count: number,
  { sender = `'s' || i`, domain = `'d' || i` } = {},
) =>
  query(
    `insert into inbound_messages (digest, sender, action, incident_id, received_at, standing, domain)
     select gen_random_uuid()::text, ${sender}, 'created', $1, now(), $2, ${domain} from generate_series(1, $3::integer) i`,
    [id, standing, count],
  )
const strangersOfDomain = () => takenIn('stranger', hourlyEmails.strangersPerDomain, { domain: evil })
const claimsOfResident = () => takenIn('claimed', hourlyEmails.claimed, { sender: `'resident@example.com'` })

const resident = 'resident@example.com'
/** How often each of these addresses was emailed since it was last asked. */
const emailed = async (address: string) =>
  (await takeMessages()).mails.filter(({ to }) => to.address === address).length

let id: number

beforeEach(async () => {
  config.mail.authserv = ours
  await forgetEmailFollowers()
  await query('delete from throttles')
  await query('delete from held_mails')
  await query('delete from inbound_messages')
  id = await anIncident({ assetId: 7, title: 'Lamp', severity: 'low' })
})

type Scenario = {
  /** A stranger uses it up. */
  spend: () => Promise<unknown>
  /** The stranger, afterwards, is refused or has to wait: what would fail if the limit were not there. */
  stranger: () => Promise<boolean>
  /** What honest people still do. */
  honest: Record<string, () => Promise<boolean>>
}

/** What the sign-in page carries of a guest's report that was sent from the shared network. */
async function carried(photos: number): Promise<string> {
  const browser = browserOf(app)
  const headers = { 'x-forwarded-for': shared }
  const page = await browser.page('/report?assetId=7', { headers })
  const fields = { ...hiddenIn(page, 'form[action="/report"]'), assetId: '7', title: 'Lamp', severity: 'low' }
  const pictures = photos > 0 ? [{ bytes: await picture() }] : []
  const answer = await browser.ask('/report', { body: multipart(fields, pictures), headers })
  const signIn = load(
    await (answer.status === 303 ? (await browser.follow(answer)).page.html() : answer.text()),
  )
  return hiddenIn(signIn, 'form[action="/sign-in"]').typed ?? ''
}

/**
 * Of one network: nothing more is stored for its guests, and yet it stops neither who is signed in there nor another
 * guest, whose text the page that asks who they are carries.
 */
const ofGuests = (name: LimitName, photos = 0): Scenario => ({
  spend: () => useUp(name, shared),
  stranger: async () => !(await carried(photos)).startsWith('report:'),
  honest: {
    'signed in from the same network': () => isDone(report(shared, 'resident')),
    'without an account in the same network': async () =>
      JSON.parse((await carried(photos)) || '{}').fields?.title === 'Lamp',
  },
})

const budget = (
  name: EmailBudget,
  first: (i: number) => Promise<unknown>,
  { stranger, honest }: Omit<Scenario, 'spend'>,
): Scenario => ({
  spend: perRun<() => Promise<unknown>>({
    quick: () => useUp(`${name}-emails-domain`, 'evil.example'),
    whole: async () => {
      await times(strangerEmails.perHour[name] * strangerEmails.share + 5, first)
      await takeMessages()
    },
  }),
  stranger,
  honest,
})
const isAnswered = async (address: string) => {
  await anHourLater()
  await email({ from: address })
  return (await emailed(address)) === 1
}
const confirmed = async (address: string) => {
  await query(`delete from throttles where key like 'follows%'`)
  await follow(elsewhere, address)
  return (await emailed(address)) === 1
}
const invented = (domain: string) => async (i: number) => {
  if (i % 20 === 0) await anHourLater()
  await email({ from: `s${i}@${domain}` })
}
const asked = (domain: string) => async (i: number) => {
  // From one network after another.
  await follow(`198.51.100.${i}`, `s${i}@${domain}`)
}

const scenarios: Partial<Record<LimitName, Scenario>> = {
  follows: {
    spend: async () => {
      await follow(shared, 's@evil.example')
      await query(`update throttles set points = $1 where key like 'follows:%'`, [followLimit.points])
    },
    stranger: async () => (await follow(shared, 's@evil.example')).status === 429,
    honest: {
      'in another network': () => isDone(follow(elsewhere, 'ada@home.example')),
      'with an account in the same network': () =>
        isDone(from(shared, 'resident', '/api/follows', { json: { assetId: 7 } })),
    },
  },
  'confirmation-emails-network': {
    spend: async () => {
      for (let i = 0; i < config.throttles.follows; i++) await follow(shared, `s@evil${i}.example`)
      await takeMessages()
    },
    stranger: async () => {
      await follow(shared, 's@evil.example')
      return (await emailed('s@evil.example')) === 0
    },
    honest: {
      'in another network': () => confirmed('ada@home.example'),
      'in the same network, whose email waits': async () => {
        if (!(await isDone(follow(shared, 'ida@home.example'))) || (await emailed('ida@home.example')) > 0)
          return false
        await query('delete from throttles')
        await queryAfterFanOut('update outbox set next_attempt_at = now() where sent_at is null')
        return (await emailed('ida@home.example')) === 1
      },
    },
  },
  'guest-reports': ofGuests('guest-reports'),
  'guest-photos': ofGuests('guest-photos', 1),
  resume: ofGuests('resume'),
  reports: {
    spend: () => times(5, () => report(shared, 'mobile')),
    stranger: async () => (await report(shared, 'mobile')).status === 429,
    honest: {
      'with an account in the same network': () => isDone(report(shared, 'resident')),
      'with the app in another network': () => isDone(report(elsewhere, 'mobile')),
    },
  },
  writes: {
    spend: () => times(5, () => comment(shared, 'mobile', id)),
    stranger: async () => (await comment(shared, 'mobile', id)).status === 429,
    honest: {
      'with an account in the same network': () => isDone(comment(shared, 'resident', id)),
      'with the app in another network': () => isDone(comment(elsewhere, 'mobile', id)),
    },
  },
  'timeline-entries': {
    spend: () => useUp('timeline-entries', phones()),
    stranger: async () => (await comment(shared, 'mobile', id)).status === 409,
    honest: {
      'with an account, on the same incident': () => isDone(comment(shared, 'resident', id)),
      'of the office': () => isDone(comment(shared, 'manager', id)),
    },
  },
  'timeline-bytes': {
    spend: () => useUp('timeline-bytes', phones()),
    stranger: async () => (await comment(shared, 'mobile', id)).status === 409,
    honest: { 'with an account, on the same incident': () => isDone(comment(shared, 'resident', id)) },
  },
  'emails of a proven sender': {
    spend: () => takenIn('proven', hourlyEmails.proven, { sender: `'board@example.com'` }),
    stranger: async () => (await email({ from: 'board@example.com', isProven: true })) === 'held',
    honest: {
      'who is proven too': async () => (await email({ from: resident, isProven: true })) === 'created',
    },
  },
  'emails of a claimed sender': {
    spend: claimsOfResident,
    stranger: async () => (await email({ from: resident })) === 'held',
    honest: {
      'whose name was used, proven': async () =>
        (await email({ from: resident, isProven: true })) === 'created',
      'who has another account': async () => (await email({ from: 'ruth.abrams@example.com' })) === 'created',
    },
  },
  'emails of claimed senders': {
    spend: () => takenIn('claimed', hourlyEmails.claimedInAll),
    stranger: async () => (await email({ from: 'ruth.abrams@example.com' })) === 'held',
    honest: {
      'who is proven': async () => (await email({ from: resident, isProven: true })) === 'created',
      'without an account': async () => (await email({ from: 'ada@home.example' })) === 'created',
    },
  },
  'emails of a domain': {
    spend: strangersOfDomain,
    stranger: async () => (await email({ from: 's@evil.example' })) === 'held',
    honest: {
      'of another domain': async () => (await email({ from: 'ada@home.example' })) === 'created',
      'with an account': async () => (await email({ from: resident })) === 'created',
    },
  },
  'emails of strangers': {
    spend: () => takenIn('stranger', hourlyEmails.strangersInAll),
    stranger: async () => (await email({ from: 's@evil.example' })) === 'held',
    honest: {
      'with an account, though not proven': async () => (await email({ from: resident })) === 'created',
      'without an account, who waits for the office': async () =>
        (await email({ from: 'ada@home.example' })) === 'held',
    },
  },
  'emails on an incident': {
    spend: () =>
      query(
        `insert into incident_updates (incident_id, author_label, author_email, body, via, sender_proven)
         select $1, 'By email', 's' || i || '@evil.example', 'x', 'email', false from generate_series(1, $2::integer) i`,
        [id, bounds.unprovenEntries],
      ),
    stranger: async () => (await email({ from: 's@evil.example', subject: `[INC-${id}]` })) === 'held',
    honest: {
      'who writes on the page': () => isDone(comment(shared, 'resident', id)),
      'whose email is proven': async () =>
        (await email({ from: resident, subject: `[INC-${id}]`, isProven: true })) === 'appended',
    },
  },
  'waiting emails of a domain': {
    spend: async () => {
      await strangersOfDomain()
      await fillQuarantine(quarantine.strangersPerDomain, `'evil.example'`)
    },
    stranger: async () => (await email({ from: 's@evil.example' })) === 'refused',
    honest: { 'of another domain': async () => (await email({ from: 'ada@home.example' })) === 'created' },
  },
  'waiting emails of strangers': {
    spend: async () => {
      await fillQuarantine(quarantine.inAll - quarantine.reserved)
      await strangersOfDomain()
    },
    stranger: async () => (await email({ from: 's@evil.example' })) === 'refused',
    honest: {
      'with an account': async () => {
        await claimsOfResident()
        return (await email({ from: resident })) === 'held'
      },
    },
  },
  'waiting emails of an account': {
    spend: async () => {
      await claimsOfResident()
      await times(quarantine.perAccount, () => email({ from: resident }))
    },
    stranger: async () => (await email({ from: resident })) === 'refused',
    honest: {
      'whose name was used, proven': async () =>
        (await email({ from: resident, isProven: true })) === 'created',
      'with another account': async () => (await email({ from: 'ruth.abrams@example.com' })) === 'created',
    },
  },
  'stranger-mails': {
    spend: async () => {
      await times(strangerEmails.perDay + 1, () => email({ from: 'victim@home.example' }))
      await takeMessages()
    },
    stranger: async () => !(await isAnswered('victim@home.example')),
    honest: { 'at another address': () => isAnswered('ada@home.example') },
  },
  'acknowledgement-emails-domain': budget('acknowledgement', invented('evil.example'), {
    stranger: async () => !(await isAnswered('s@evil.example')),
    honest: {
      'of another domain': () => isAnswered('ada@home.example'),
      'of the same domain, who asks to follow': () => confirmed('ada@evil.example'),
    },
  }),
  'acknowledgement-emails': {
    spend: () => useUp('acknowledgement-emails', 'all'),
    stranger: async () => !(await isAnswered('s@evil.example')),
    honest: {
      'who asks to follow': () => confirmed('ada@home.example'),
      'with an account, who writes': () => isAnswered(resident),
    },
  },
  'confirmation-emails-domain': budget('confirmation', asked('evil.example'), {
    stranger: async () => !(await confirmed('s@evil.example')),
    honest: {
      'of another domain': () => confirmed('ada@home.example'),
      'of the same domain, who writes': () => isAnswered('ada@evil.example'),
    },
  }),
  'confirmation-emails': {
    spend: () => useUp('confirmation-emails', 'all'),
    stranger: async () => !(await confirmed('s@evil.example')),
    honest: {
      'who writes': () => isAnswered('ada@home.example'),
      'with an account, who follows': () =>
        isDone(from(shared, 'resident', '/api/follows', { json: { assetId: 7 } })),
    },
  },
}

describe.each(Object.entries(scenarios))('%s, once a stranger has used it up,', (_name, scenario) => {
  it('lets honest people through', { timeout: 240_000 }, async () => {
    await scenario.spend()
    expect(await scenario.stranger(), 'the stranger is refused').toBe(true)
    for (const [who, act] of Object.entries(scenario.honest)) expect(await act(), `someone ${who}`).toBe(true)
  })
})

it('every limit that anyone can spend has such a test', () => {
  const signIns = readFileSync(path.join(checkout, 'test/accounts/lockedOut.test.ts'), 'utf8')
  const tested = [
    ...Object.keys(scenarios),
    // Who uses up the share of a domain has used up nothing of the building's.
    ...['acknowledgement-emails', 'confirmation-emails'],
    ...[...signIns.matchAll(/^ {2}'([\w-]+)': \{$/gm)].map(([, name]) => name!),
    // Counts without refusing anything.
    'password-site',
  ]
  const names = Object.entries(countedLimits).filter(([, spentBy]) => spentBy === 'anyone')
  expect(names.map(([name]) => name).filter((name) => !tested.includes(name))).toEqual([])
})
