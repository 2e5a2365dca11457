import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { followLimit } from '../../../src/notifications/follow/routes.js'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import {
  countedLimits,
  type EmailBudget,
  type LimitName,
  quietSites,
  strangerEmails,
} from '../../../src/vocabulary/countedLimits.js'
import { checkout } from '../../support/compiled.js'
import { forgetEmailFollowers } from '../../support/email/emailFollowers.js'
import { takeMessages } from '../../support/email/messages.js'
import { anHourLater, houseServer, receive } from '../../support/email/receivedEmails.js'
import type { Asked, Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { carriedReport } from '../../support/links/carriedReport.js'
import { perRun } from '../../support/run/extent.js'
import { queryAfterFanOut } from '../../support/sending.js'

/**
 * Behind a proxy every test can come from wherever it likes; few writes, so
 * that they are quickly spent.
 */
vi.hoisted(() =>
  Object.assign(process.env, { TRUST_PROXY: 'true', THROTTLE_REPORTS: '5', THROTTLE_WRITES: '5' }),
)

const house = useHouse()
const [shared, elsewhere] = ['192.0.2.1', '203.0.113.9']
let n = 0

const from = (address: string, who: Who, to: string, asked: Asked = {}) =>
  house.ask(who, to, { ...asked, headers: { 'x-forwarded-for': address, ...asked.headers } })
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

const resident = 'resident@example.com'
/** How often each of these addresses was emailed since it was last asked. */
const emailed = async (address: string) =>
  (await takeMessages()).emails.filter(({ to }) => to.address === address).length

let id: number

beforeEach(async () => {
  config.email.authserv = houseServer
  await forgetEmailFollowers()
  await query('delete from throttles')
  await query('delete from inbound_emails')
  id = await house.report({ assetId: 7, title: 'Lamp', severity: 'low' })
})

type Scenario = {
  /** A stranger uses it up. */
  spend: () => Promise<unknown>
  /**
   * The stranger, afterwards, is refused or has to wait: what would fail if
   * the limit were not there.
   */
  stranger: () => Promise<boolean>
  /** What honest people still do. */
  honest: Record<string, () => Promise<boolean>>
}

/**
 * Of one network: nothing more is stored for its guests, and yet it stops neither who is signed in
 * there nor another guest, whose text the page that asks who they are carries.
 */
const ofGuests = (name: LimitName, photos = 0): Scenario => ({
  spend: () => useUp(name, shared),
  stranger: async () => !(await carriedReport(house, shared, photos)).startsWith('report:'),
  honest: {
    'signed in from the same network': () => isDone(report(shared, 'resident')),
    'without an account in the same network': async () =>
      JSON.parse((await carriedReport(house, shared, photos)) || '{}').fields?.title === 'Lamp',
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
const isAnswered = async (address: string, { isProven = false } = {}) => {
  await anHourLater()
  await receive(house, { from: address, isProven })
  return (await emailed(address)) === 1
}
const confirmed = async (address: string) => {
  await query(`delete from throttles where key like 'follows%'`)
  await follow(elsewhere, address)
  return (await emailed(address)) === 1
}
const invented = (domain: string) => async (i: number) => {
  if (i % 20 === 0) await anHourLater()
  await receive(house, { from: `s${i}@${domain}`, isProven: true })
}
/** So many sites ask for as many confirmations as a site gets, each for another address. */
async function askedFromSites(sites: number, domain: (site: number, i: number) => string) {
  await times(sites, (site) =>
    times(config.throttles.follows, (i) =>
      follow(`2001:db8:${site}:${i}::1`, `s${site}-${i}@${domain(site, i)}`),
    ),
  )
  await takeMessages()
}
/** One of those sites asks again, and its email waits. */
const isBusy = async (address: string) => {
  await query(`delete from throttles where key like 'confirmation-emails-network:%'`)
  await times(quietSites.most, (i) => follow(shared, `quiet${i}@quiet.example`))
  await takeMessages()
  await follow(shared, address)
  return (await emailed(address)) === 0
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
  'stranger-mails': {
    spend: async () => {
      await times(strangerEmails.unprovenPerDay, () => receive(house, { from: 'victim@home.example' }))
      await times(strangerEmails.perDay, (i) => follow(`198.51.100.${i}`, 'victim@home.example'))
      await takeMessages()
    },
    stranger: async () => !(await confirmed('victim@home.example')),
    honest: {
      'at another address': () => isAnswered('ada@home.example'),
    },
  },
  'stranger-mails-unproven': {
    spend: async () => {
      await times(strangerEmails.perDay + 1, () => receive(house, { from: 'ada@home.example' }))
      await takeMessages()
    },
    stranger: async () => !(await isAnswered('ada@home.example')),
    honest: {
      'whose name was used, proven': () => isAnswered('ada@home.example', { isProven: true }),
      'whose name was used, who asks to follow': () => confirmed('ada@home.example'),
    },
  },
  'stranger-mails-site': {
    spend: async () => {
      await times(strangerEmails.perDay + 1, () => follow(shared, 'ada@home.example'))
      await takeMessages()
    },
    stranger: async () => {
      await follow(shared, 'ada@home.example')
      return (await emailed('ada@home.example')) === 0
    },
    honest: {
      'at the same address, in another network': () => confirmed('ada@home.example'),
      'at the same address, who writes': () => isAnswered('ada@home.example'),
    },
  },
  'acknowledgement-emails-domain': budget('acknowledgement', invented('evil.example'), {
    stranger: async () => !(await isAnswered('s@evil.example', { isProven: true })),
    honest: {
      'of another domain': () => isAnswered('ada@home.example'),
      'of the same domain, who asks to follow': () => confirmed('ada@evil.example'),
    },
  }),
  'acknowledgement-emails-domain-busy': {
    spend: () => useUp('acknowledgement-emails-domain-busy', 'home.example'),
    stranger: async () => !(await isAnswered('s@home.example')),
    honest: {
      'of the same domain, proven': () => isAnswered('ada@home.example', { isProven: true }),
      'of another domain': () => isAnswered('ada@nice.example'),
    },
  },
  'acknowledgement-emails-busy': {
    spend: () => useUp('acknowledgement-emails-busy', 'all'),
    stranger: async () => !(await isAnswered('s@evil.example')),
    honest: {
      'who is proven': () => isAnswered('ada@home.example', { isProven: true }),
      'who asks to follow': () => confirmed('ada@home.example'),
    },
  },
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
  'confirmation-emails-domain-busy': {
    // Four networks with any number of addresses at one large provider.
    spend: () => askedFromSites(4, () => 'home.example'),
    stranger: () => isBusy(`s${n}@home.example`),
    honest: {
      'of the same domain, in another network': () => confirmed('ada@home.example'),
      'of another domain': () => confirmed('ada@nice.example'),
    },
  },
  'confirmation-emails-busy': {
    // Eight networks, each with domains of its own.
    spend: () => askedFromSites(8, (site, i) => `d${site}-${i % 6}.example`),
    stranger: () => isBusy('s@evil.example'),
    honest: { 'in another network': () => confirmed('honest@nice.example') },
  },
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

it('every limit that strangers can spend is spent above, or where sign-ins are', () => {
  const signIns = readFileSync(path.join(checkout, 'test/accounts/lockedOut.test.ts'), 'utf8')
  const tested = [
    ...Object.keys(scenarios),
    ...Array.from(signIns.matchAll(/^ {2}'([\w-]+)': \{$/gm), ([, name]) => name!),
    // Counts without refusing anything.
    'password-site',
  ]
  const names = Object.entries(countedLimits).filter(([, { spentBy }]) => spentBy !== 'an account')
  const left = names.map(([name]) => name).filter((name) => !tested.includes(name))
  expect(left).toEqual(['phones-photos'])
})

it('every limit that forged email can spend shows someone who is proven', () => {
  const forged = Object.entries(countedLimits).filter(([, { spentBy }]) => spentBy === 'forged email')
  for (const [name] of forged) {
    const honest = Object.keys(scenarios[name as LimitName]?.honest ?? {})
    expect([name, honest.filter((who) => who.includes('proven'))]).toEqual([name, [expect.anything()]])
  }
})

it('every limit that one network can spend shows someone in another network, or with an account', () => {
  const ofNetworks = Object.entries(scenarios).filter(
    ([name]) => countedLimits[name as LimitName].spentBy === 'a network',
  )
  expect(ofNetworks.length).toBeGreaterThan(5)
  for (const [name, { honest }] of ofNetworks) {
    const others = Object.keys(honest).filter((who) => /another network|signed in|with an account/.test(who))
    expect([name, others.length > 0]).toEqual([name, true])
  }
})
