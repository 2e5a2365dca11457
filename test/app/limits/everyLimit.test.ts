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
import { guestReportId } from '../../../src/vocabulary/guestReports.js'
import { checkout } from '../../support/compiled.js'
import { forgetEmailFollowers } from '../../support/email/emailFollowers.js'
import { takeMessages } from '../../support/email/messages.js'
import { anHourLater, houseServer, receive } from '../../support/email/receivedEmails.js'
import { fromAddress, type Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts, setCount, setCountOf } from '../../support/house/limits.js'
import { carriedReport } from '../../support/links/carriedReport.js'
import { perRun } from '../../support/run/extent.js'
import { repeat } from '../../support/run/repeat.js'
import { queryAfterFanOut } from '../../support/sending.js'

/**
 * Behind a proxy every test can come from wherever it likes; few writes, so
 * that they are quickly spent.
 */
vi.hoisted(() =>
  Object.assign(process.env, { TRUST_PROXY: 'true', THROTTLE_REPORTS: '5', THROTTLE_WRITES: '5' }),
)

const house = useHouse()

beforeEach(forgetStrangers)

describe.each(Object.entries(scenariosByLimit()))(
  '%s, once a stranger has used it up,',
  (_name, scenario) => {
    it('lets honest people through', { timeout: 240_000 }, async () => {
      await scenario.spend()
      expect(await scenario.stranger(), 'the stranger is refused').toBe(true)
      for (const [who, act] of Object.entries(scenario.honest))
        expect(await act(), `someone ${who}`).toBe(true)
    })
  },
)

it('every limit that strangers can spend is spent above, or where sign-ins are', () => {
  const signIns = readFileSync(path.join(checkout, 'test/accounts/lockedOut.test.ts'), 'utf8')
  const tested = [
    ...Object.keys(scenariosByLimit()),
    ...Array.from(signIns.matchAll(/^ {4}'?([\w-]+)'?: \{$/gm), ([, name]) => name!),
    // Counts without refusing anything.
    'password-site',
  ]
  const names = Object.entries(countedLimits).filter(([, { spentBy }]) => spentBy !== 'an account')
  const left = names.map(([name]) => name).filter((name) => !tested.includes(name))
  // Spent in bounds.test.ts.
  expect(left).toEqual(['phones-photos'])
})

it('every limit that forged email can spend shows someone who is proven', () => {
  const forged = Object.entries(countedLimits).filter(([, { spentBy }]) => spentBy === 'forged email')
  for (const [name] of forged) {
    const honest = Object.keys(scenariosByLimit()[name as LimitName]?.honest ?? {})
    expect([name, honest.filter((who) => who.includes('proven'))]).toEqual([name, [expect.anything()]])
  }
})

it('every limit that one network can spend shows someone in another network, or with an account', () => {
  const ofNetworks = Object.entries(scenariosByLimit()).filter(
    ([name]) => countedLimits[name as LimitName].spentBy === 'a network',
  )
  expect(ofNetworks.length).toBeGreaterThan(5)
  for (const [name, { honest }] of ofNetworks) {
    const others = Object.keys(honest).filter((who) => /another network|signed in|with an account/.test(who))
    expect([name, others.length > 0]).toEqual([name, true])
  }
})

/** Nothing is counted, no stranger is known, and there is one report that all can comment on. */
async function forgetStrangers() {
  config.email.authserv = houseServer
  await forgetEmailFollowers()
  await forgetCounts()
  await query('delete from inbound_emails')
  incidentId = await house.report({ assetId: 7, title: 'Lamp', severity: 'low' })
}

/** A resident follows from this address. */
function followSignedIn(address: string) {
  return house.ask('resident', '/api/follows', fromAddress(address, { json: { assetId: 7 } }))
}

/** Whether the request was done. */
async function isDone(answer: Promise<Response>) {
  return (await answer).status < 300
}

function followFrom(address: string, email: string) {
  return house.ask('guest', '/api/follow', fromAddress(address, { json: { email, assetId: 7 } }))
}

function reportFrom(address: string, who: Who) {
  const json = { assetId: 7, title: `Lamp ${lamps++}`, severity: 'low' }
  return house.ask(who, '/api/incidents', fromAddress(address, { json }))
}

function commentFrom(address: string, who: Who, id: number, body = 'x') {
  return house.ask(who, `/api/incidents/${id}/updates`, fromAddress(address, { json: { body } }))
}

/** Uses up a limit at once. */
function useUp(name: LimitName, share: string) {
  return setCountOf(name, share, 1_000_000)
}

/** The share that the phones of the shared network have of the incident's timeline. */
function phones() {
  return `${incidentId}:${createHash('sha256').update(`network:${shared}`).digest('base64url')}`
}

/** How many emails wait for this address; they are sent to no one. */
async function emailed(address: string) {
  return (await takeMessages()).emails.filter(({ to }) => to.address === address).length
}

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
 * A limit of one network: nothing more is stored for its guests, and yet it stops neither who is
 * signed in there nor another guest, whose text the page that asks who they are carries.
 */
function ofGuests(name: LimitName, photos = 0): Scenario {
  return {
    spend: () => useUp(name, shared),
    stranger: async () => guestReportId(await carriedReport(house, shared, photos)) === null,
    honest: {
      'signed in from the same network': () => isDone(reportFrom(shared, 'resident')),
      'without an account in the same network': async () =>
        JSON.parse((await carriedReport(house, shared, photos)) || '{}').fields?.title === 'Lamp',
    },
  }
}

/** A budget of emails that strangers have together, which this domain spends. */
function budget(
  name: EmailBudget,
  first: (i: number) => Promise<unknown>,
  { stranger, honest }: Omit<Scenario, 'spend'>,
): Scenario {
  return {
    spend: perRun<() => Promise<unknown>>({
      quick: () => useUp(`${name}-emails-domain`, 'evil.example'),
      whole: async () => {
        await repeat(strangerEmails.perHour[name] * strangerEmails.share + 5, first)
        await takeMessages()
      },
    }),
    stranger,
    honest,
  }
}

/** An email from this address is taken in, and answered. */
async function isAnswered(address: string, { isProven = false } = {}) {
  await anHourLater()
  await receive(house, { from: address, isProven })
  return (await emailed(address)) === 1
}

/** The address asks to follow, and is emailed a link to confirm it. */
async function isConfirmed(address: string) {
  await forgetCounts('follows')
  await followFrom(elsewhere, address)
  return (await emailed(address)) === 1
}

/** Emails of one invented sender of this domain after another. */
function writeFrom(domain: string) {
  return async (i: number) => {
    if (i % 20 === 0) await anHourLater()
    await receive(house, { from: `s${i}@${domain}`, isProven: true })
  }
}

/** So many sites ask for as many confirmations as a site gets, each for another address. */
async function askFromSites(sites: number, domain: (site: number, i: number) => string) {
  await repeat(sites, (site) =>
    repeat(config.throttles.follows, (i) =>
      followFrom(`2001:db8:${site}:${i}::1`, `s${site}-${i}@${domain(site, i)}`),
    ),
  )
  await takeMessages()
}

/** One of those sites asks again, and its email waits. */
async function isBusy(address: string) {
  await forgetCounts('confirmation-emails-network:')
  await repeat(quietSites.most, (i) => followFrom(shared, `quiet${i}@quiet.example`))
  await takeMessages()
  await followFrom(shared, address)
  return (await emailed(address)) === 0
}

/** One address of this domain after another asks to follow. */
function askToFollow(domain: string) {
  return async (i: number) => {
    // From one network after another.
    await followFrom(`198.51.100.${i}`, `s${i}@${domain}`)
  }
}

function scenariosByLimit(): Partial<Record<LimitName, Scenario>> {
  return {
    follows: {
      spend: async () => {
        await followFrom(shared, 's@evil.example')
        await setCount('follows', followLimit.points)
      },
      stranger: async () => (await followFrom(shared, 's@evil.example')).status === 429,
      honest: {
        'in another network': () => isDone(followFrom(elsewhere, 'ada@home.example')),
        'with an account in the same network': () => isDone(followSignedIn(shared)),
      },
    },
    'confirmation-emails-network': {
      spend: async () => {
        for (let i = 0; i < config.throttles.follows; i++) await followFrom(shared, `s@evil${i}.example`)
        await takeMessages()
      },
      stranger: async () => {
        await followFrom(shared, 's@evil.example')
        return (await emailed('s@evil.example')) === 0
      },
      honest: {
        'in another network': () => isConfirmed('ada@home.example'),
        'in the same network, whose email waits': async () => {
          if (
            !(await isDone(followFrom(shared, 'ida@home.example'))) ||
            (await emailed('ida@home.example')) > 0
          )
            return false
          await forgetCounts()
          await queryAfterFanOut('update outbox set next_attempt_at = now() where sent_at is null')
          return (await emailed('ida@home.example')) === 1
        },
      },
    },
    'guest-reports': ofGuests('guest-reports'),
    'guest-photos': ofGuests('guest-photos', 1),
    resume: ofGuests('resume'),
    reports: {
      spend: () => repeat(5, () => reportFrom(shared, 'mobile')),
      stranger: async () => (await reportFrom(shared, 'mobile')).status === 429,
      honest: {
        'with an account in the same network': () => isDone(reportFrom(shared, 'resident')),
        'with the app in another network': () => isDone(reportFrom(elsewhere, 'mobile')),
      },
    },
    writes: {
      spend: () => repeat(5, () => commentFrom(shared, 'mobile', incidentId)),
      stranger: async () => (await commentFrom(shared, 'mobile', incidentId)).status === 429,
      honest: {
        'with an account in the same network': () => isDone(commentFrom(shared, 'resident', incidentId)),
        'with the app in another network': () => isDone(commentFrom(elsewhere, 'mobile', incidentId)),
      },
    },
    'timeline-entries': {
      spend: () => useUp('timeline-entries', phones()),
      stranger: async () => (await commentFrom(shared, 'mobile', incidentId)).status === 409,
      honest: {
        'with an account, on the same incident': () => isDone(commentFrom(shared, 'resident', incidentId)),
        'of the office': () => isDone(commentFrom(shared, 'manager', incidentId)),
      },
    },
    'timeline-bytes': {
      spend: () => useUp('timeline-bytes', phones()),
      stranger: async () => (await commentFrom(shared, 'mobile', incidentId)).status === 409,
      honest: {
        'with an account, on the same incident': () => isDone(commentFrom(shared, 'resident', incidentId)),
      },
    },
    'stranger-mails': {
      spend: async () => {
        await repeat(strangerEmails.unprovenPerDay, () => receive(house, { from: 'victim@home.example' }))
        await repeat(strangerEmails.perDay, (i) => followFrom(`198.51.100.${i}`, 'victim@home.example'))
        await takeMessages()
      },
      stranger: async () => !(await isConfirmed('victim@home.example')),
      honest: {
        'at another address': () => isAnswered('ada@home.example'),
      },
    },
    'stranger-mails-unproven': {
      spend: async () => {
        await repeat(strangerEmails.perDay + 1, () => receive(house, { from: 'ada@home.example' }))
        await takeMessages()
      },
      stranger: async () => !(await isAnswered('ada@home.example')),
      honest: {
        'whose name was used, proven': () => isAnswered('ada@home.example', { isProven: true }),
        'whose name was used, who asks to follow': () => isConfirmed('ada@home.example'),
      },
    },
    'stranger-mails-site': {
      spend: async () => {
        await repeat(strangerEmails.perDay + 1, () => followFrom(shared, 'ada@home.example'))
        await takeMessages()
      },
      stranger: async () => {
        await followFrom(shared, 'ada@home.example')
        return (await emailed('ada@home.example')) === 0
      },
      honest: {
        'at the same address, in another network': () => isConfirmed('ada@home.example'),
        'at the same address, who writes': () => isAnswered('ada@home.example'),
      },
    },
    'acknowledgement-emails-domain': budget('acknowledgement', writeFrom('evil.example'), {
      stranger: async () => !(await isAnswered('s@evil.example', { isProven: true })),
      honest: {
        'of another domain': () => isAnswered('ada@home.example'),
        'of the same domain, who asks to follow': () => isConfirmed('ada@evil.example'),
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
        'who asks to follow': () => isConfirmed('ada@home.example'),
      },
    },
    'acknowledgement-emails': {
      spend: () => useUp('acknowledgement-emails', 'all'),
      stranger: async () => !(await isAnswered('s@evil.example')),
      honest: {
        'who asks to follow': () => isConfirmed('ada@home.example'),
        'with an account, who writes': () => isAnswered('resident@example.com'),
      },
    },
    'confirmation-emails-domain': budget('confirmation', askToFollow('evil.example'), {
      stranger: async () => !(await isConfirmed('s@evil.example')),
      honest: {
        'of another domain': () => isConfirmed('ada@home.example'),
        'of the same domain, who writes': () => isAnswered('ada@evil.example'),
      },
    }),
    'confirmation-emails-domain-busy': {
      // Four networks with any number of addresses at one large provider.
      spend: () => askFromSites(4, () => 'home.example'),
      stranger: () => isBusy(`s${lamps}@home.example`),
      honest: {
        'of the same domain, in another network': () => isConfirmed('ada@home.example'),
        'of another domain': () => isConfirmed('ada@nice.example'),
      },
    },
    'confirmation-emails-busy': {
      // Eight networks, each with domains of its own.
      spend: () => askFromSites(8, (site, i) => `d${site}-${i % 6}.example`),
      stranger: () => isBusy('s@evil.example'),
      honest: { 'in another network': () => isConfirmed('honest@nice.example') },
    },
    'confirmation-emails': {
      spend: () => useUp('confirmation-emails', 'all'),
      stranger: async () => !(await isConfirmed('s@evil.example')),
      honest: {
        'who writes': () => isAnswered('ada@home.example'),
        'with an account, who follows': () => isDone(followSignedIn(shared)),
      },
    },
  }
}

const [shared, elsewhere] = ['192.0.2.1', '203.0.113.9']
let lamps = 0
let incidentId: number
