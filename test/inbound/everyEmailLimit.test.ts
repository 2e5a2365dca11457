import { beforeEach, describe, expect, it } from 'vitest'
import { quarantine } from '../../src/inbound/limits.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { assignmentTag } from '../../src/vocabulary/email/assignmentTag.js'
import { messageKey } from '../../src/vocabulary/email/messageName.js'
import { forgetEmailFollowers } from '../support/email/emailFollowers.js'
import { type EmailLimitTitle, emailLimit } from '../support/email/emailLimits.js'
import { emptyOutbox } from '../support/email/messages.js'
import { houseServer, outcomeOf, takenIn, waiting } from '../support/email/receivedEmails.js'
import { useHouse } from '../support/house/house.js'
import { queryAfterFanOut } from '../support/sending.js'

const house = useHouse()
const resident = 'resident@example.com'
const neighbour = 'ruth.abrams@example.com'
let id: number

beforeEach(async () => {
  config.email.authserv = houseServer
  config.email.inboundAddress = 'reports@house.example'
  await forgetEmailFollowers()
  await emptyOutbox()
  await query('delete from throttles')
  await query('delete from held_emails')
  await query('delete from inbound_emails')
  await query(`update properties set email_visibility = 'at_once'`)
  id = await house.report({ assetId: 7, title: 'Lamp', severity: 'low' })
})

type Given = { from: string; subject?: string; text?: string; isSpam?: boolean }
const forged = (from: string, more: Partial<Given> = {}) => outcomeOf(house, { from, ...more })
const proven = (from: string, more: Partial<Given> = {}) =>
  outcomeOf(house, { from, ...more, isProven: true })
const reply = () => ({ subject: `[INC-${id}] Lamp` })

const most = (title: EmailLimitTitle) => emailLimit(title).most
const evil = `'evil.example'`
const the = (address: string) => ({ sender: `'${address}'`, domain: `'${address.split('@')[1]}'` })

/** So many comments by email on the incident; `author`: the account of a proven sender. */
const comments = (count: number, email: string, { isProven = false, author = null as string | null } = {}) =>
  query(
    `insert into incident_updates (incident_id, author_id, author_label, author_email, body, via, sender_proven)
     select $1, (select u.id from users u where u.email = $4), 'By email', ${email}, 'x', 'email', $3
     from generate_series(1, $2::integer) i`,
    [id, count, isProven, author],
  )

/** So many replies of assignees on the incident. */
const notes = (count: number, standing: string) =>
  query(
    `insert into internal_notes (incident_id, author_email, body, sender_standing)
     select $1, 'a@company.example', 'x', $3 from generate_series(1, $2::integer) i`,
    [id, count, standing],
  )
const assigned = () => ({ subject: `Re: [${assignmentTag(messageKey(config.sessionSecret), id)}] Lamp` })

/** Whether staff are emailed about an email that opens a report. */
async function isHeard(act: Promise<string>): Promise<'heard' | 'quiet'> {
  expect(await act).toBe('created')
  const emails = await queryAfterFanOut(
    `select from outbox where event = 'incident.created' and kind = 'mail'
       and incident_id = (select max(id) from incidents)`,
  )
  return emails.length > 0 ? 'heard' : 'quiet'
}

type Act = () => Promise<string>
type Scenario = {
  /** The emails that the limit counts use it up. */
  spend: () => Promise<unknown>
  /** One more of them, and what it gets. */
  spender: [act: Act, gets: string]
  /** What emails get that the limit doesn't count. */
  others: Record<string, [act: Act, gets: string]>
}

const whenSorted = () => query(`update properties set email_visibility = 'when_sorted'`)

const scenarios: Record<EmailLimitTitle, Scenario> = {
  'emails of an account': {
    spend: () => takenIn('account', most('emails of an account'), id, the(resident)),
    spender: [() => proven(resident), 'held'],
    others: { 'proven, of another account': [() => proven(neighbour), 'created'] },
  },
  'proven emails of a domain': {
    spend: () => takenIn('address', most('proven emails of a domain'), id, { domain: evil }),
    spender: [() => proven('s@evil.example'), 'held'],
    others: {
      'proven, of another domain': [() => proven('ada@home.example'), 'created'],
      'proven, of an account': [() => proven(resident), 'created'],
    },
  },
  'proven emails': {
    spend: () => takenIn('address', most('proven emails'), id),
    spender: [() => proven('s@evil.example'), 'held'],
    others: { 'proven, of an account': [() => proven(resident), 'created'] },
  },
  'unproven emails of a domain': {
    spend: () => takenIn('unproven', most('unproven emails of a domain'), id, the(resident)),
    spender: [() => forged(resident), 'held'],
    others: {
      'proven, whose name was used': [() => proven(resident), 'created'],
      'proven, of the same domain without an account': [() => proven('ada@example.com'), 'created'],
      'forged, of another domain': [() => forged('ada@home.example'), 'created'],
    },
  },
  'unproven emails': {
    spend: () => takenIn('unproven', most('unproven emails'), id),
    spender: [() => forged('s@evil.example'), 'held'],
    others: {
      'proven, with an account': [() => proven(resident), 'created'],
      'proven, without an account': [() => proven('ada@home.example'), 'created'],
    },
  },

  'reports of an account': {
    spend: () => takenIn('account', most('reports of an account'), id, the(resident)),
    spender: [() => isHeard(proven(resident)), 'quiet'],
    others: { 'proven, of another account': [() => isHeard(proven(neighbour)), 'heard'] },
  },
  'reports of a proven address': {
    spend: () => takenIn('address', most('reports of a proven address'), id, the('s@evil.example')),
    spender: [() => isHeard(proven('s@evil.example')), 'quiet'],
    others: { 'proven, of another address': [() => isHeard(proven('ada@evil.example')), 'heard'] },
  },
  'reports of an unproven address': {
    spend: () => takenIn('unproven', most('reports of an unproven address'), id, the(resident)),
    spender: [() => isHeard(forged(resident)), 'quiet'],
    others: { 'proven, whose name was used': [() => isHeard(proven(resident)), 'heard'] },
  },
  'proven reports': {
    spend: async () => {
      await takenIn('address', most('proven reports'), id)
      await query('update inbound_emails set staff_notified = true')
    },
    spender: [() => isHeard(proven('s@evil.example')), 'quiet'],
    others: { 'proven, with an account': [() => isHeard(proven(resident)), 'heard'] },
  },
  'unproven reports': {
    spend: async () => {
      await takenIn('unproven', most('unproven reports'), id)
      await query('update inbound_emails set staff_notified = true')
    },
    spender: [() => isHeard(forged('s@evil.example')), 'quiet'],
    others: {
      'proven, with an account': [() => isHeard(proven(resident)), 'heard'],
      'proven, without an account': [() => isHeard(proven('ada@home.example')), 'heard'],
    },
  },

  'comments of an account': {
    spend: () =>
      comments(most('comments of an account'), `'${resident}'`, { isProven: true, author: resident }),
    spender: [() => proven(resident, reply()), 'held'],
    others: { 'proven, of another account': [() => proven(neighbour, reply()), 'appended'] },
  },
  'comments of a proven address': {
    spend: () => comments(most('comments of a proven address'), `'s@evil.example'`, { isProven: true }),
    spender: [() => proven('s@evil.example', reply()), 'held'],
    others: { 'proven, of another address': [() => proven('ada@home.example', reply()), 'appended'] },
  },
  'comments of an unproven address': {
    spend: () => comments(most('comments of an unproven address'), `'${resident}'`),
    spender: [() => forged(resident, reply()), 'held'],
    others: { 'proven, whose name was used': [() => proven(resident, reply()), 'appended'] },
  },
  'proven comments': {
    spend: () => comments(most('proven comments'), `'s' || i || '@evil.example'`, { isProven: true }),
    spender: [() => proven('s@evil.example', reply()), 'held'],
    others: { 'proven, with an account': [() => proven(resident, reply()), 'appended'] },
  },
  'unproven comments': {
    spend: () => comments(most('unproven comments'), `'s' || i || '@evil.example'`),
    spender: [() => forged('s@evil.example', reply()), 'held'],
    others: {
      'proven, with an account': [() => proven(resident, reply()), 'appended'],
      'proven, without an account': [() => proven('ada@home.example', reply()), 'appended'],
    },
  },

  'assignee replies of an account': {
    spend: () => notes(most('assignee replies of an account'), 'account'),
    spender: [() => proven(resident, assigned()), 'held'],
    others: { 'proven, without an account': [() => proven('a@company.example', assigned()), 'appended'] },
  },
  'proven assignee replies': {
    spend: () => notes(most('proven assignee replies'), 'address'),
    spender: [() => proven('s@evil.example', assigned()), 'held'],
    others: { 'proven, of an account': [() => proven(resident, assigned()), 'appended'] },
  },
  'unproven assignee replies': {
    spend: () => notes(most('unproven assignee replies'), 'unproven'),
    spender: [() => forged('a@company.example', assigned()), 'held'],
    others: { 'proven, whose name was used': [() => proven('a@company.example', assigned()), 'appended'] },
  },

  'waiting emails of an account': {
    spend: async () => {
      await whenSorted()
      await waiting('account', most('waiting emails of an account'), the(resident))
    },
    spender: [() => proven(resident), 'refused'],
    others: { 'proven, of another account': [() => proven(neighbour), 'held'] },
  },
  'waiting proven emails of a domain': {
    spend: async () => {
      await whenSorted()
      await waiting('address', most('waiting proven emails of a domain'), { domain: evil })
    },
    spender: [() => proven('s@evil.example'), 'refused'],
    others: { 'proven, of another domain': [() => proven('ada@home.example'), 'held'] },
  },
  'waiting proven emails': {
    spend: async () => {
      await whenSorted()
      await waiting('address', most('waiting proven emails'))
    },
    spender: [() => proven('s@evil.example'), 'refused'],
    others: { 'proven, with an account': [() => proven(resident), 'held'] },
  },
  'waiting unproven emails of a domain': {
    spend: async () => {
      await whenSorted()
      await waiting('unproven', most('waiting unproven emails of a domain'), the(resident))
    },
    spender: [() => forged(resident), 'refused'],
    others: {
      'proven, whose name was used': [() => proven(resident), 'held'],
      'proven, of the same domain without an account': [() => proven('ada@example.com'), 'held'],
      'forged, of another domain': [() => forged('ada@home.example'), 'held'],
    },
  },
  'waiting unproven emails': {
    spend: async () => {
      await whenSorted()
      await waiting('unproven', most('waiting unproven emails'))
    },
    spender: [() => forged('s@evil.example'), 'refused'],
    others: {
      'proven, with an account': [() => proven(resident), 'held'],
      'proven, without an account': [() => proven('ada@home.example'), 'held'],
    },
  },
  'waiting proven spam': {
    spend: async () => {
      await whenSorted()
      await waiting('address', most('waiting proven spam'), { reason: 'spam' })
    },
    spender: [() => proven('s@evil.example', { isSpam: true }), 'refused'],
    others: { 'proven, not marked': [() => proven('s@evil.example'), 'held'] },
  },
  'waiting unproven spam': {
    spend: async () => {
      await whenSorted()
      await waiting('unproven', most('waiting unproven spam'), { reason: 'spam' })
    },
    spender: [() => forged('s@evil.example', { isSpam: true }), 'refused'],
    others: {
      'forged, not marked': [() => forged('ada@home.example'), 'held'],
      'proven, marked by mistake': [() => proven('ada@home.example', { isSpam: true }), 'held'],
    },
  },
}

describe.each(Object.entries(scenarios))('%s, once they are spent,', (name, { spend, spender, others }) => {
  it('cost those who spend them, and no one else', async () => {
    await spend()
    const [act, gets] = spender
    expect(gets).toBe(emailLimit(name as EmailLimitTitle).otherwise)
    expect(await act()).toBe(gets)
    for (const [who, [honest, given]] of Object.entries(others))
      expect([who, await honest()]).toEqual([who, given])
  })

  it('have an email that is proven among the others', () => {
    expect([name, Object.keys(others).some((who) => who.startsWith('proven'))]).toEqual([name, true])
  })
})

it('the places of those who wait are enough for everyone at once', () => {
  const inAll = most('waiting unproven emails') + most('waiting proven emails')
  expect(quarantine.inAll - inAll).toBeGreaterThanOrEqual(5 * most('waiting emails of an account'))
  expect(quarantine.inAll - most('waiting unproven emails')).toBe(200)
})
