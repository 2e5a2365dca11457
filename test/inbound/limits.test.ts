import { describe, expect, it } from 'vitest'
import {
  exceededLimit,
  hasEmailedStaffEnough,
  hasRoom,
  isReportFlood,
  mayBecomeNote,
  mayWait,
  quarantine,
} from '../../src/inbound/limits.js'
import { type SenderStanding, senderStandings } from '../../src/inbound/senderStanding.js'
import { bounds } from '../../src/vocabulary/limits.js'
import { type EmailLimitTitle, emailLimit } from '../support/email/emailLimits.js'

describe('the limit of an hour', () => {
  it.each<[SenderStanding, object, string | null]>([
    ['account', { ofSender: most('emails of an account') - 1 }, null],
    ['account', { ofSender: most('emails of an account') }, 'sender'],
    ['account', { ofDomain: 10_000, inAll: 10_000 }, null],
    ['address', { ofDomain: most('proven emails of a domain') - 1 }, null],
    ['address', { ofDomain: most('proven emails of a domain') }, 'domain'],
    ['address', { inAll: most('proven emails') - 1 }, null],
    ['address', { inAll: most('proven emails') }, 'total'],
    ['unproven', { ofDomain: most('unproven emails of a domain') - 1 }, null],
    ['unproven', { ofDomain: most('unproven emails of a domain') }, 'domain'],
    ['unproven', { inAll: most('unproven emails') - 1 }, null],
    ['unproven', { inAll: most('unproven emails') }, 'total'],
  ])('of %s after %j: %s', (standing, counts, why) => {
    expect(exceededLimit(standing, { ...hour, ...counts })).toBe(why)
  })

  it.each(senderStandings)('of emails to staff about %s', (standing) => {
    expect(isReportFlood(standing, { ...hour, created: 4 })).toBe(false)
    expect(isReportFlood(standing, { ...hour, created: 5 })).toBe(true)
    expect(hasEmailedStaffEnough(standing, { ...hour, staffNotified: 19 })).toBe(false)
    expect(hasEmailedStaffEnough(standing, { ...hour, staffNotified: 20 })).toBe(standing !== 'account')
  })
})

describe('the room for emails that wait', () => {
  it.each<[SenderStanding, object, boolean]>([
    ['account', { inAll: quarantine.inAll - 1, ofStanding: 10_000, ofDomain: 10_000 }, true],
    ['account', { inAll: quarantine.inAll }, false],
    ['account', { ofSender: most('waiting emails of an account') - 1 }, true],
    ['account', { ofSender: most('waiting emails of an account') }, false],
    ['address', { ofStanding: most('waiting proven emails') - 1 }, true],
    ['address', { ofStanding: most('waiting proven emails') }, false],
    ['address', { ofDomain: most('waiting proven emails of a domain') - 1 }, true],
    ['address', { ofDomain: most('waiting proven emails of a domain') }, false],
    ['unproven', { ofStanding: most('waiting unproven emails') - 1 }, true],
    ['unproven', { ofStanding: most('waiting unproven emails') }, false],
    ['unproven', { ofDomain: most('waiting unproven emails of a domain') - 1 }, true],
    ['unproven', { ofDomain: most('waiting unproven emails of a domain') }, false],
    ['unproven', { inAll: quarantine.inAll }, false],
  ])('of %s after %j: %s', (standing, counts, expected) => {
    expect(mayWait({ ...waiting, ...counts }, standing, false)).toBe(expected)
  })

  it.each<[SenderStanding, number, boolean]>([
    ['account', 10_000, true],
    ['address', most('waiting proven spam') - 1, true],
    ['address', most('waiting proven spam'), false],
    ['unproven', most('waiting unproven spam') - 1, true],
    ['unproven', most('waiting unproven spam'), false],
  ])('of %s marked as spam after %i: %s', (standing, spam, expected) => {
    expect(mayWait({ ...waiting, spam }, standing, true)).toBe(expected)
    expect(mayWait({ ...waiting, spam }, standing, false)).toBe(true)
  })
})

describe('the room on a timeline', () => {
  const bytes = 10
  it.each<[SenderStanding, object, boolean]>([
    ['account', { ofStanding: bounds.unprovenEntries, standingBytes: bounds.unprovenBytes }, true],
    ['account', { entries: bounds.timelineEntries }, false],
    ['account', { bytes: bounds.timelineBytes - bytes }, true],
    ['account', { bytes: bounds.timelineBytes - bytes + 1 }, false],
    ['account', { ofSender: bounds.writerEntries }, false],
    ['unproven', { ofSender: bounds.writerEntries - 1, senderBytes: bounds.writerBytes - bytes }, true],
    ['unproven', { senderBytes: bounds.writerBytes - bytes + 1 }, false],
    ['unproven', { ofStanding: bounds.unprovenEntries - 1 }, true],
    ['unproven', { ofStanding: bounds.unprovenEntries }, false],
    ['address', { standingBytes: bounds.unprovenBytes - bytes }, true],
    ['address', { standingBytes: bounds.unprovenBytes - bytes + 1 }, false],
  ])('for %s after %j: %s', (standing, use, expected) => {
    expect(hasRoom({ ...timeline, ...use }, bytes, standing)).toBe(expected)
  })

  it.each(senderStandings)('for replies of assignees: %s', (standing) => {
    expect(mayBecomeNote(standing, 49)).toBe(true)
    expect(mayBecomeNote(standing, 50)).toBe(false)
  })
})

function most(title: EmailLimitTitle) {
  return emailLimit(title).most
}

const hour = { ofSender: 0, ofDomain: 0, inAll: 0, staffNotified: 0, created: 0 }

const waiting = { inAll: 0, ofStanding: 0, ofDomain: 0, ofSender: 0, spam: 0 }

const timeline = {
  entries: 0,
  bytes: 0,
  ofSender: 0,
  senderBytes: 0,
  ofStanding: 0,
  standingBytes: 0,
}
