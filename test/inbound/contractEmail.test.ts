import { describe, expect, it } from 'vitest'
import { contractEmail } from '../../src/inbound/parse/contractEmail.js'

describe('an email in the fields of the contract', () => {
  it.each([
    [
      'Postmark, with its name apart',
      { From: 'a@b.example', FromFull: { Email: 'a@b.example', Name: 'Ada' } },
      '"Ada" <a@b.example>',
    ],
    [
      'Postmark, with signs in the name',
      { From: 'a@b.example', FromFull: { Email: 'a@b.example', Name: 'Ada "A" \\ B' } },
      '"Ada \\"A\\" \\\\ B" <a@b.example>',
    ],
    [
      'Postmark, with another address',
      { From: 'a@b.example', FromFull: { Email: 'c@b.example', Name: 'Ada' } },
      'a@b.example',
    ],
    [
      'Postmark, without a name',
      { From: 'a@b.example', FromFull: { Email: 'a@b.example', Name: '' } },
      'a@b.example',
    ],
    [
      'a whole mailbox',
      { From: 'Ada <a@b.example>', FromFull: { Email: 'a@b.example', Name: 'Eve' } },
      'Ada <a@b.example>',
    ],
    ['Brevo', { From: { Name: 'Ada', Address: 'a@b.example' } }, '"Ada" <a@b.example>'],
    ['Brevo, without a name', { From: { Name: null, Address: 'a@b.example' } }, 'a@b.example'],
    ['a list of one', { from: [{ name: 'Ada', email: 'a@b.example' }] }, '"Ada" <a@b.example>'],
    [
      'a list of two, which is no one',
      { from: [{ email: 'a@b.example' }, { email: 'c@b.example' }] },
      [{ email: 'a@b.example' }, { email: 'c@b.example' }],
    ],
    ['the header', { Headers: [{ Name: 'From', Value: 'Ada <a@b.example>' }] }, 'Ada <a@b.example>'],
  ])('has its author of %s', (_what, given, from) => {
    expect(contractEmail({ text: 'x', ...given }).from).toEqual(from)
  })

  it('has the Reply-To that Postmark takes out of the headers', () => {
    const given = {
      text: 'x',
      From: 'a@b.example',
      ReplyTo: 'c@d.example',
      Headers: [{ Name: 'X-A', Value: 'b' }],
    }
    expect(contractEmail(given).headers).toEqual([
      ['x-a', ['b']],
      ['reply-to', 'c@d.example'],
    ])
    expect(contractEmail({ ...given, ReplyTo: '' }).headers).toEqual(given.Headers)
  })

  it('has Mailjet’s files by the names of their parts, and no other fields', () => {
    const Parts = [
      { Headers: { 'Content-Type': 'text/plain' }, ContentRef: 'Text-part' },
      {
        Headers: { 'Content-Type': 'image/png; name="door.png"', 'Content-ID': '<x@y>' },
        ContentRef: 'InlineAttachment1',
      },
      { Headers: {}, ContentRef: 'From' },
      { ContentRef: 7 },
      null,
    ]
    const email = contractEmail({ From: 'a@b.example', 'Text-part': 'x', Parts, InlineAttachment1: 'aGk=' })
    expect(email.attachments).toEqual([
      {
        filename: 'door.png',
        contentType: 'image/png; name="door.png"',
        contentId: '<x@y>',
        contentBase64: 'aGk=',
      },
    ])
  })
})
