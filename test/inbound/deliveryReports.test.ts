import { describe, expect, it } from 'vitest'
import { bouncedMessageIn } from '../../src/inbound/parse/deliveryReport.js'
import { messageKey, messageNameOf } from '../../src/vocabulary/email/messageName.js'

const key = messageKey('a secret of this test')
const host = 'house.example'
const name = messageNameOf(key, { id: 7, createdAt: new Date(0), incidentId: 12, contactId: null })

describe('a delivery report', () => {
  it.each([
    ['in its text', { text: deliveryReport('failed') }],
    ['in a file', { contentBase64: base64(deliveryReport('failed')) }],
    [
      'in a file given as a `data:` URL',
      { contentBase64: `data:message/delivery-status;base64,${base64(deliveryReport('failed'))}` },
    ],
  ])('names the email that was refused for good, %s', (_where, parts) => {
    expect(nameIn(parts)).toBe(name)
  })

  it('names none while the email is only late', () => {
    expect(nameIn({ text: deliveryReport('delayed') })).toBeNull()
  })
})

/** What a mail server writes of the email with this name. */
function deliveryReport(action: string) {
  return `Action: ${action}\r\n\r\nMessage-ID: <${name}@${host}>\r\n`
}

/** The name in a delivery report that has this text and, attached, a file with this base64. */
function nameIn({ text = '', contentBase64 = '' }) {
  const file = {
    filename: 'report.txt',
    type: 'message/delivery-status',
    contentBase64,
    contentId: null,
    isInline: false,
    isOfAttached: false,
  }
  return bouncedMessageIn({ text, html: '', files: [file], attachedEmails: [] }, { key, host })
}

function base64(text: string) {
  return Buffer.from(text).toString('base64')
}
