import { query } from '../../../src/platform/db/database.js'
import { emptyOutbox } from '../email/messages.js'
import type { House } from '../house/house.js'
import { office } from '../house/people.js'
import { report } from '../house/report.js'
import { browserOf, linksTo } from './guestBrowser.js'

export type Browser = ReturnType<typeof browserOf>

/**
 * A link as its email brought it. `browser`: the one that asked for it; `email`: whom it went to.
 */
export type Made = { path: string; email: string; browser: Browser }

/** A kind of link whose address opens something to whoever has it. */
export type Kind = {
  /** Patterns of the router that take its token. */
  routes: readonly string[]
  make: (house: House) => Promise<Made>
  /** What its form sends. */
  press: Record<string, string>
  /** How long it works, in the words of docs/security/overview.md; null: for ever. */
  lives: string | null
  /** Opened in another browser, without a session. */
  elsewhere: 'works' | 'refused'
  /** The second press: its status. It changes nothing. */
  again: number
  /** After the account is made inactive, and after the person is erased. */
  disabled: 'works' | 'over'
  erased: 'works' | 'over'
  /** The problem that says that it is over. */
  over: string
  /** What the page that says so offers instead: forms or links to these. */
  offers: string
}

let made = 0

/** Somebody new, whom the office has made an account with or without a password. */
async function somebody(house: House, given: { password?: string } = { password }) {
  made += 1
  const email = `linked${made}@outside.test` as const
  await house.json('admin', '/api/admin/users', {
    json: { name: `Linnea Kedlink ${made}`, email, role: 'resident', ...given },
  })
  return email
}

const password = 'a quiet rainy afternoon'

/** The link of this kind in the emails that wait for this address. */
async function mailed(prefix: string, email: string): Promise<string> {
  const found = (await linksTo(prefix)).find(({ to }) => to === email)
  if (!found) throw new Error(`no mail to ${email} has a link to ${prefix}`)
  return found.path
}

/** A report of theirs that the office says is fixed, so that an email asks them. */
async function resolvedReport(house: House): Promise<string> {
  const email = await somebody(house)
  const title = `It hums, says ${email}`
  const id = await report({ reporter: email, assetId: 1, title, severity: 'low' })
  await emptyOutbox()
  await office.resolves(id, 'Oiled', { notified: true })
  return email
}

async function byEmail(house: House, email: string, prefix: string): Promise<Made> {
  return { path: await mailed(prefix, email), email, browser: browserOf(house) }
}

async function signInLink(house: House, email: string, prefix: string): Promise<Made> {
  const browser = browserOf(house)
  await browser.ask('/sign-in/link', { form: { email } })
  return { path: await mailed(prefix, email), email, browser }
}

const signInKind = {
  lives: '15 minutes',
  elsewhere: 'refused',
  disabled: 'over',
  erased: 'over',
  over: 'sign_in_link_over',
  offers: '/sign-in/link',
} as const
const forPassword = {
  press: { password: 'another quiet rainy afternoon' },
  elsewhere: 'works',
  again: 404,
  disabled: 'over',
  erased: 'over',
  over: 'link_over',
  offers: '/forgot-password',
} as const

/** Every kind of link that is sent to people, by its name in docs/security/overview.md. */
export const signedLinks: Record<string, Kind> = {
  'link to sign in': {
    ...signInKind,
    routes: ['/sign-in/link/:token'],
    make: async (house) => signInLink(house, await somebody(house), '/sign-in/link'),
    press: {},
    again: 303,
  },
  'link to make an account': {
    ...signInKind,
    routes: ['/sign-up/:token', '/api/auth/sign-up/:token'],
    make: async (house) => {
      await query(`update properties set sign_up = 'anybody'`)
      made += 1
      return signInLink(house, `newcomer${made}@outside.test`, '/sign-up')
    },
    press: { name: 'Ida Lindqvist' },
    again: 404,
  },
  'link for a new password': {
    ...forPassword,
    routes: ['/reset-password/:token', '/api/auth/reset-password/:token'],
    make: async (house) => {
      const email = await somebody(house)
      await house.ask('guest', '/api/auth/forgot-password', { json: { email } })
      return byEmail(house, email, '/reset-password')
    },
    lives: '1 hour',
  },
  'link of an invitation': {
    ...forPassword,
    routes: ['/invitation/:token', '/api/auth/invitation/:token'],
    make: async (house) => byEmail(house, await somebody(house, {}), '/invitation'),
    lives: '7 days',
  },
  'link that asks whether it is fixed': {
    routes: ['/fixed/:token', '/fixed/:token/undo'],
    make: async (house) => byEmail(house, await resolvedReport(house), '/fixed'),
    press: { fixed: 'true' },
    lives: '30 days',
    elsewhere: 'works',
    again: 303,
    disabled: 'over',
    erased: 'over',
    over: 'answer_link_over',
    offers: '/incidents',
  },
  'link to follow by email': {
    routes: ['/follow/:token', '/api/follow/:token'],
    make: async (house) => {
      const email = await somebody(house)
      await house.ask('guest', '/api/follow', { json: { email, assetId: 1 } })
      return byEmail(house, email, '/follow')
    },
    press: {},
    lives: '24 hours',
    elsewhere: 'works',
    again: 200,
    // It is the address that follows, with or without an account.
    disabled: 'works',
    erased: 'over',
    over: 'follow_link_over',
    offers: '/follow',
  },
  'link to stop an email': {
    routes: ['/unsubscribe/:token', '/unsubscribe/:token/undo'],
    make: async (house) => byEmail(house, await resolvedReport(house), '/unsubscribe'),
    press: {},
    lives: null,
    elsewhere: 'works',
    again: 200,
    disabled: 'works',
    erased: 'over',
    over: 'unsubscribe_link_over',
    offers: '/account?tab=notifications',
  },
}
