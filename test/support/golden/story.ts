import { type NoticeFacts, securityNotices } from '../../../src/accounts/users/notices.js'
import { sendReminders } from '../../../src/maintenance/reminders.js'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { announceStatus } from '../../../src/status/announceStatus.js'
import { emailFollower } from '../email/emailFollowers.js'
import { emptyOutbox, leaveEmail } from '../email/messages.js'
import type { Who } from '../house/asking.js'
import type { House } from '../house/house.js'
import { picture } from '../pictures.js'
import { subscriptionOf } from '../push/subscription.js'
import { fixedNow } from './building.js'
import { registeredBrowser } from './outgoing.js'

/** One thing that happens in the building; what is sent of it is kept under this name. */
export type Step = { name: string; act: () => Promise<unknown> }

const HOUR = 3_600_000
const later = (hours: number) => new Date(fixedNow.getTime() + hours * HOUR).toISOString()
/** The south lift, which works and has no open report. */
const assetId = 7
/** Two accounts that are told the same: one reads English, one Spanish. */
const accounts = ['resident@example.com', 'board@example.com']

/**
 * Everything that makes the building send something: each kind of email, push and webhook at least
 * once.
 */
export function storyOf(house: House): Step[] {
  const post = (who: Who, path: string, json: object) => house.json(who, path, { json })
  let report = 0
  let duplicate = 0
  const update = (json: object, who: Who = 'manager') => post(who, `/api/incidents/${report}/updates`, json)
  const status = (newStatus: string) => update({ body: `The office says: ${newStatus}.`, newStatus })

  const incidents: Step[] = [
    step('report', async () => {
      report = await aReport(house, 'critical')
      await announceStatus(null)
    }),
    step('acknowledged', () => status('acknowledged')),
    step('expected time', async () => {
      const json = { statusReason: 'waiting_for_parts', expectedBackAt: later(30) }
      await house.json('manager', `/api/incidents/${report}`, { method: 'PATCH', json })
      await announceStatus(null)
    }),
    step('in progress', () => status('in_progress')),
    step('two comments', async () => {
      await update({ body: 'The part is here.' })
      await update({ body: 'The engineer comes tomorrow.' })
    }),
    step('assigned to a contact', () =>
      post('manager', '/api/admin/assign', { ids: [report], contactId: 4, dueOn: '2026-11-20' }),
    ),
    step('resolved', async () => {
      await status('resolved')
      await announceStatus(null)
    }),
    step('not fixed', () =>
      post('resident', `/api/incidents/${report}/verify`, { fixed: false, body: 'It stops again.' }),
    ),
    step('resolved again', () => status('resolved')),
    step('confirmed', () => post('manager', `/api/incidents/${report}/verify`, { fixed: true })),
    step('merged', async () => {
      report = await aReport(house, 'medium')
      duplicate = await aReport(house, 'low')
      await emptyOutbox()
      await post('manager', `/api/incidents/${duplicate}/merge`, { targetId: report })
    }),
    step('merge undone', () => post('manager', `/api/incidents/${duplicate}/unmerge`, {})),
    step('dismissed', () => post('manager', `/api/incidents/${duplicate}/dismiss`, {})),
  ]

  const building: Step[] = [
    step('overdue', async () => {
      const waiting = await query<{ id: number }>(
        `select id from incidents where status = 'open' order by id`,
      )
      for (const { id } of waiting)
        for (const who of ['resident', 'board'] as const) await follow(house, who, id)
      await emptyOutbox()
      await post('cron', '/api/cron/sweep', {})
    }),
    step('planned work', async () => {
      const times = { startsAt: later(100), endsAt: later(102) }
      await post('manager', '/api/admin/maintenance', {
        assetId,
        title: 'New ropes',
        recurrence: 'none',
        ...times,
      })
      await sendReminders()
    }),
    step('weekly digest', () => post('cron', '/api/cron/digest', {})),
    step('report by email', async () => {
      for (const from of ['resident@example.com', 'siobhan.kelly@example.com'])
        await post('inbound', '/api/inbound-email', {
          from,
          subject: `The light, says ${from}`,
          text: 'It is dark.',
        })
    }),
    step('request to follow', async () => {
      for (const locale of ['en', 'es'])
        await house.json('guest', '/api/follow', {
          json: { email: `new-${locale}@outside.example`, assetId },
          headers: { 'accept-language': locale },
        })
    }),
  ]

  const receipts: Step[] = [
    step('report without a name', () => aReport(house, 'low', 'board', { isAnonymous: true })),
    step('report by email with proof', () => provenReport(house)),
  ]

  const account = (event: string, payload: object = {}) => leaveEmail(event, payload, ...accounts)
  const notice = (facts: Omit<NoticeFacts, 'browser' | 'system'>) =>
    account('account.notice', facts.by === 'self' ? { browser: 'Firefox', system: 'Linux', ...facts } : facts)
  const aboutAccounts: Step[] = [
    step('invitation', () => account('account.invited')),
    step('password reset', () => account('account.reset')),
    step('sign-in link', () => linksTo(house, accounts, ['en', 'es'])),
    step('sign-up link', async () => {
      await query(`update properties set sign_up = 'anybody'`)
      await linksTo(house, ['en@outside.example', 'es@outside.example'], ['en', 'es'])
    }),
    ...securityNotices.map((each) => step(each, () => notice({ notice: each, by: 'self' }))),
    step('email_changed by the office', () => notice({ notice: 'email_changed', by: 'office' })),
  ]
  return [...incidents, ...building, ...aboutAccounts, ...receipts]
}

const step = (name: string, act: () => Promise<unknown>): Step => ({ name, act })

const follow = (house: House, who: Who, id: number) =>
  house.json(who, `/api/incidents/${id}/follow`, { method: 'POST' })

/**
 * A resident's report that an account and two people without one follow; half of them read Spanish.
 */
async function aReport(
  house: House,
  severity: string,
  who: Who = 'resident',
  more: object = {},
): Promise<number> {
  const json = {
    assetId,
    title: 'The lift stops between two floors',
    description: 'It jolts.\nTwice.',
    severity,
    ...more,
  }
  const { id } = await house.json(who, '/api/incidents', { json })
  await follow(house, 'board', id)
  await query(
    `insert into email_follows (email_follower_id, incident_id)
     select id, $1 from email_followers where address like '%@followers.example'`,
    [id],
  )
  return id
}

/** Asks for links by email, each for one address in one language. */
async function linksTo(house: House, emails: string[], locales: string[]): Promise<void> {
  for (const [i, email] of emails.entries()) {
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'accept-language': locales[i]! }
    await house.ask('guest', '/sign-in/link', { form: { email }, headers })
  }
}

/** Who is told: an account and an address for each language, phones and browsers. */
export async function gatherAudience(house: House): Promise<void> {
  await query('update users set locale = $1 where email = any ($2)', [
    'es',
    ['board@example.com', 'admin@example.com', 'siobhan.kelly@example.com'],
  ])
  for (const who of ['resident', 'admin'] as const) {
    await house.json(who, '/api/devices', { json: { token: `phone of the ${who}`, platform: 'ios' } })
    await house.json(who, '/api/account/browsers', {
      json: subscriptionOf(registeredBrowser(), config.webPush!.publicKey),
    })
  }
  for (const locale of ['en', 'es'])
    await emailFollower(`${locale}@followers.example`, [`asset:${assetId}`], { locale })
  await emptyOutbox()
}

/** A report by email whose sender is proven: the receipt has its words and its photo. */
async function provenReport(house: House): Promise<void> {
  const { authserv } = config.email
  config.email.authserv = 'mx.building.example'
  const photo = await picture('jpeg')
  await house.json('inbound', '/api/inbound-email', {
    json: {
      from: 'resident@example.com',
      subject: 'The bin store smells',
      text: 'Since Monday.',
      headers: { 'Authentication-Results': 'mx.building.example; dmarc=pass header.from=example.com' },
      attachments: [{ filename: 'bins.jpg', contentBase64: photo.toString('base64') }],
    },
  })
  config.email.authserv = authserv
}
