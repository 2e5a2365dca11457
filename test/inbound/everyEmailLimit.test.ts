import { beforeEach, describe, expect, it } from 'vitest'
import { quarantine } from '../../src/inbound/limits.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { assignmentTag } from '../../src/vocabulary/email/assignmentTag.js'
import { messageKey } from '../../src/vocabulary/email/messageName.js'
import {
  type EmailLimitTitle,
  emailLimit,
  emailLimitTitles,
  limitsOfTable,
  limitsWithTitle,
} from '../support/email/emailLimits.js'
import { assigneeReplies, commentsByEmail, holdEmails, takeInEmails } from '../support/email/manyEmails.js'
import { forgetSenders, houseServer, outcomeOf } from '../support/email/receivedEmails.js'
import { useHouse } from '../support/house/house.js'
import { queryAfterFanOut } from '../support/sending.js'

const house = useHouse()
/** The report that comments and replies are about. */
let id: number

beforeEach(async () => {
  config.email.authserv = houseServer
  config.email.inboundAddress = 'reports@house.example'
  await forgetSenders()
  await house.changeProperty({ emailVisibility: 'at_once' })
  id = await house.report({ title: 'Lamp', severity: 'low' })
})

describe.each(emailLimitTitles)('%s, once they are spent,', (title) => {
  it('cost those who spend them, and no one else', async () => {
    const { spend, spender, others } = scenarios[title]
    await spend()
    const [act, gets] = spender
    expect(gets).toBe(emailLimit(title).otherwise)
    expect(await act()).toBe(gets)
    for (const [who, [honest, given]] of Object.entries(others))
      expect([who, await honest()]).toEqual([who, given])
  })

  it('have an email that is proven among the others', () => {
    const { others } = scenarios[title]
    expect(Object.keys(others).some((who) => who.startsWith('proven'))).toBe(true)
  })
})

it('every limit of the table is spent here', () => {
  expect(limitsWithTitle.toSorted()).toEqual(limitsOfTable.toSorted())
})

it('the places of those who wait are enough for everyone at once', () => {
  const inAll = most('waiting unproven emails') + most('waiting proven emails')
  expect(quarantine.inAll - inAll).toBeGreaterThanOrEqual(5 * most('waiting emails of an account'))
  expect(quarantine.inAll - most('waiting unproven emails')).toBe(200)
})

const resident = 'resident@example.com'

const neighbour = 'ruth.abrams@example.com'

type Act = () => Promise<string>

type Scenario = {
  /** The emails that the limit counts use it up. */
  spend: () => Promise<unknown>
  /** One more of them, and what it gets. */
  spender: [act: Act, gets: string]
  /** What emails get that the limit doesn't count. */
  others: Record<string, [act: Act, gets: string]>
}

/** How each limit is used up, and by whom it must not be felt. */
const scenarios: Record<EmailLimitTitle, Scenario> = {
  'emails of an account': {
    spend: () => takeInEmails('account', most('emails of an account'), id, onlyFrom(resident)),
    spender: [() => proven(resident), 'held'],
    others: { 'proven, of another account': [() => proven(neighbour), 'created'] },
  },
  'proven emails of a domain': {
    spend: () => takeInEmails('address', most('proven emails of a domain'), id, { domain: 'evil.example' }),
    spender: [() => proven('s@evil.example'), 'held'],
    others: {
      'proven, of another domain': [() => proven('ada@home.example'), 'created'],
      'proven, of an account': [() => proven(resident), 'created'],
    },
  },
  'proven emails': {
    spend: () => takeInEmails('address', most('proven emails'), id),
    spender: [() => proven('s@evil.example'), 'held'],
    others: { 'proven, of an account': [() => proven(resident), 'created'] },
  },
  'unproven emails of a domain': {
    spend: () => takeInEmails('unproven', most('unproven emails of a domain'), id, onlyFrom(resident)),
    spender: [() => forged(resident), 'held'],
    others: {
      'proven, whose name was used': [() => proven(resident), 'created'],
      'proven, of the same domain without an account': [() => proven('ada@example.com'), 'created'],
      'forged, of another domain': [() => forged('ada@home.example'), 'created'],
    },
  },
  'unproven emails': {
    spend: () => takeInEmails('unproven', most('unproven emails'), id),
    spender: [() => forged('s@evil.example'), 'held'],
    others: {
      'proven, with an account': [() => proven(resident), 'created'],
      'proven, without an account': [() => proven('ada@home.example'), 'created'],
    },
  },

  'reports of an account': {
    spend: () => takeInEmails('account', most('reports of an account'), id, onlyFrom(resident)),
    spender: [() => isHeard(proven(resident)), 'quiet'],
    others: { 'proven, of another account': [() => isHeard(proven(neighbour)), 'heard'] },
  },
  'reports of a proven address': {
    spend: () => takeInEmails('address', most('reports of a proven address'), id, onlyFrom('s@evil.example')),
    spender: [() => isHeard(proven('s@evil.example')), 'quiet'],
    others: { 'proven, of another address': [() => isHeard(proven('ada@evil.example')), 'heard'] },
  },
  'reports of an unproven address': {
    spend: () => takeInEmails('unproven', most('reports of an unproven address'), id, onlyFrom(resident)),
    spender: [() => isHeard(forged(resident)), 'quiet'],
    others: { 'proven, whose name was used': [() => isHeard(proven(resident)), 'heard'] },
  },
  'proven reports': {
    spend: async () => {
      await takeInEmails('address', most('proven reports'), id)
      await staffWereNotified()
    },
    spender: [() => isHeard(proven('s@evil.example')), 'quiet'],
    others: { 'proven, with an account': [() => isHeard(proven(resident)), 'heard'] },
  },
  'unproven reports': {
    spend: async () => {
      await takeInEmails('unproven', most('unproven reports'), id)
      await staffWereNotified()
    },
    spender: [() => isHeard(forged('s@evil.example')), 'quiet'],
    others: {
      'proven, with an account': [() => isHeard(proven(resident)), 'heard'],
      'proven, without an account': [() => isHeard(proven('ada@home.example')), 'heard'],
    },
  },

  'comments of an account': {
    spend: () =>
      commentsByEmail(id, most('comments of an account'), {
        sender: `'${resident}'`,
        isProven: true,
        author: resident,
      }),
    spender: [() => proven(resident, reply()), 'held'],
    others: { 'proven, of another account': [() => proven(neighbour, reply()), 'appended'] },
  },
  'comments of a proven address': {
    spend: () =>
      commentsByEmail(id, most('comments of a proven address'), {
        sender: `'s@evil.example'`,
        isProven: true,
      }),
    spender: [() => proven('s@evil.example', reply()), 'held'],
    others: { 'proven, of another address': [() => proven('ada@home.example', reply()), 'appended'] },
  },
  'comments of an unproven address': {
    spend: () =>
      commentsByEmail(id, most('comments of an unproven address'), {
        sender: `'${resident}'`,
        isProven: false,
      }),
    spender: [() => forged(resident, reply()), 'held'],
    others: { 'proven, whose name was used': [() => proven(resident, reply()), 'appended'] },
  },
  'proven comments': {
    spend: () =>
      commentsByEmail(id, most('proven comments'), {
        sender: `'s' || i || '@evil.example'`,
        isProven: true,
      }),
    spender: [() => proven('s@evil.example', reply()), 'held'],
    others: { 'proven, with an account': [() => proven(resident, reply()), 'appended'] },
  },
  'unproven comments': {
    spend: () =>
      commentsByEmail(id, most('unproven comments'), {
        sender: `'s' || i || '@evil.example'`,
        isProven: false,
      }),
    spender: [() => forged('s@evil.example', reply()), 'held'],
    others: {
      'proven, with an account': [() => proven(resident, reply()), 'appended'],
      'proven, without an account': [() => proven('ada@home.example', reply()), 'appended'],
    },
  },

  'assignee replies of an account': {
    spend: () => assigneeReplies(id, most('assignee replies of an account'), 'account'),
    spender: [() => proven(resident, assigneeReply()), 'held'],
    others: {
      'proven, without an account': [() => proven('a@company.example', assigneeReply()), 'appended'],
    },
  },
  'proven assignee replies': {
    spend: () => assigneeReplies(id, most('proven assignee replies'), 'address'),
    spender: [() => proven('s@evil.example', assigneeReply()), 'held'],
    others: { 'proven, of an account': [() => proven(resident, assigneeReply()), 'appended'] },
  },
  'unproven assignee replies': {
    spend: () => assigneeReplies(id, most('unproven assignee replies'), 'unproven'),
    spender: [() => forged('a@company.example', assigneeReply()), 'held'],
    others: {
      'proven, whose name was used': [() => proven('a@company.example', assigneeReply()), 'appended'],
    },
  },

  'waiting emails of an account': {
    spend: async () => {
      await house.changeProperty({ emailVisibility: 'when_sorted' })
      await holdEmails('account', most('waiting emails of an account'), onlyFrom(resident))
    },
    spender: [() => proven(resident), 'refused'],
    others: { 'proven, of another account': [() => proven(neighbour), 'held'] },
  },
  'waiting proven emails of a domain': {
    spend: async () => {
      await house.changeProperty({ emailVisibility: 'when_sorted' })
      await holdEmails('address', most('waiting proven emails of a domain'), { domain: 'evil.example' })
    },
    spender: [() => proven('s@evil.example'), 'refused'],
    others: { 'proven, of another domain': [() => proven('ada@home.example'), 'held'] },
  },
  'waiting proven emails': {
    spend: async () => {
      await house.changeProperty({ emailVisibility: 'when_sorted' })
      await holdEmails('address', most('waiting proven emails'))
    },
    spender: [() => proven('s@evil.example'), 'refused'],
    others: { 'proven, with an account': [() => proven(resident), 'held'] },
  },
  'waiting unproven emails of a domain': {
    spend: async () => {
      await house.changeProperty({ emailVisibility: 'when_sorted' })
      await holdEmails('unproven', most('waiting unproven emails of a domain'), onlyFrom(resident))
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
      await house.changeProperty({ emailVisibility: 'when_sorted' })
      await holdEmails('unproven', most('waiting unproven emails'))
    },
    spender: [() => forged('s@evil.example'), 'refused'],
    others: {
      'proven, with an account': [() => proven(resident), 'held'],
      'proven, without an account': [() => proven('ada@home.example'), 'held'],
    },
  },
  'waiting proven spam': {
    spend: async () => {
      await house.changeProperty({ emailVisibility: 'when_sorted' })
      await holdEmails('address', most('waiting proven spam'), { reason: 'spam' })
    },
    spender: [() => proven('s@evil.example', { isSpam: true }), 'refused'],
    others: { 'proven, not marked': [() => proven('s@evil.example'), 'held'] },
  },
  'waiting unproven spam': {
    spend: async () => {
      await house.changeProperty({ emailVisibility: 'when_sorted' })
      await holdEmails('unproven', most('waiting unproven spam'), { reason: 'spam' })
    },
    spender: [() => forged('s@evil.example', { isSpam: true }), 'refused'],
    others: {
      'forged, not marked': [() => forged('ada@home.example'), 'held'],
      'proven, marked by mistake': [() => proven('ada@home.example', { isSpam: true }), 'held'],
    },
  },
}

type Email = { subject?: string; isSpam?: boolean }

function forged(from: string, email: Email = {}) {
  return outcomeOf(house, { from, ...email })
}

function proven(from: string, email: Email = {}) {
  return outcomeOf(house, { from, ...email, isProven: true })
}

/** As if staff had been emailed about every email that was taken in. */
function staffWereNotified() {
  return query('update inbound_emails set staff_notified = true')
}

function most(title: EmailLimitTitle) {
  return emailLimit(title).most
}

/** The one sender of emails that use up a limit. */
function onlyFrom(address: string) {
  return { sender: address, domain: address.split('@')[1]! }
}

/** The subject of a comment on the report. */
function reply() {
  return { subject: `[INC-${id}] Lamp` }
}

/** The subject of an assignee's reply, with the tag that the product gave them. */
function assigneeReply() {
  return { subject: `Re: [${assignmentTag(messageKey(config.sessionSecret), id)}] Lamp` }
}

/** Whether staff are emailed about an email that opens a report. */
async function isHeard(act: Promise<string>): Promise<'heard' | 'quiet'> {
  expect(await act).toBe('created')
  const emails = await queryAfterFanOut(
    `select from outbox where event = 'incident.created' and kind = 'mail'
       and incident_id = (select max(id) from incidents)`,
  )
  return emails.length > 0 ? 'heard' : 'quiet'
}
