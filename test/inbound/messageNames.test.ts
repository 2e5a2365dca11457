import { describe, expect, it } from 'vitest'
import { emailHeaders } from '../../src/inbound/parse/headers.js'
import { answeredIncident, answersOurs } from '../../src/inbound/parse/ourMessageIds.js'
import { incidentOfMessage, messageKey, messageNameOf } from '../../src/vocabulary/email/messageName.js'
import { isOwnMessageId } from '../../src/vocabulary/email/ownEmail.js'

const key = messageKey('a secret of this test')
const host = 'house.example'
const at = new Date('2026-11-22T08:00:00.123Z')
const name = (incidentId: number | null, id = 7, createdAt = at) =>
  messageNameOf(key, { id, createdAt, incidentId, contactId: null })
const messageId = (incidentId: number | null) => `<${name(incidentId)}@${host}>`
const incidents = [1, 2, 12, 255, 256, 65_536, 99_999, 2_147_483_647]

describe('the name of an email', () => {
  it.each(incidents.filter((_, i) => i % 3 === 0))(
    'says that it is about INC-%i, however a program writes it',
    (incident) => {
      const id = messageId(incident)
      for (const written of [id, ` ${id} `, id.slice(1, -1), id.replace(host, 'HOUSE.example')])
        expect([written, incidentOfMessage(key, written, host)]).toEqual([
          written,
          { incidentId: incident, isAssignment: false },
        ])
      expect(isOwnMessageId(id, host)).toBe(true)
    },
  )

  it('is one of ours and about nothing where there is no incident', () => {
    expect(incidentOfMessage(key, messageId(null), host)).toBeNull()
    expect(isOwnMessageId(messageId(null), host)).toBe(true)
  })

  it('is the same for one row and another for any other', () => {
    const names = [name(1), name(2), name(1, 8), name(1, 7, new Date(at.getTime() + 1)), name(null)]
    expect(new Set(names).size).toBe(names.length)
    expect(name(1)).toBe(names[0])
  })

  it('says nothing when any of its characters is another, or the key or the host is', () => {
    const real = name(12)
    for (let i = 0; i < real.length; i += 1)
      for (const sign of ['A', 'b', '-', '9']) {
        const forged = real.slice(0, i) + sign + real.slice(i + 1)
        const same = Buffer.from(forged, 'base64url').equals(Buffer.from(real, 'base64url'))
        if (!same)
          expect([forged, incidentOfMessage(key, `<${forged}@${host}>`, host)]).toEqual([forged, null])
      }
    expect(incidentOfMessage(messageKey('another'), `<${real}@${host}>`, host)).toBeNull()
    expect(incidentOfMessage(key, `<${real}@other.example>`, host)).toBeNull()
  })

  it('says of an email to a contact that its replies are for staff', () => {
    for (const incidentId of [1, 2_147_483_647]) {
      const name = messageNameOf(key, { id: 7, createdAt: new Date(0), incidentId, contactId: 3 })
      expect(incidentOfMessage(key, `<${name}@${host}>`, host)).toEqual({ incidentId, isAssignment: true })
    }
  })

  it('is no other', () => {
    for (const id of ['', '<>', '<@>', '<incident-12@house.example>', `<${'A'.repeat(27)}@house.example>`])
      expect(incidentOfMessage(key, id, host), id).toBeNull()
  })
})

describe('the thread of an email', () => {
  const [one, two] = [messageId(12), messageId(34)]
  const other = '<x@elsewhere.example>'
  it.each([
    [{ 'In-Reply-To': one }, 12],
    [{ 'in-reply-to': [one] }, 12],
    [{ References: `<incident-12@${host}> ${one}` }, 12],
    [{ References: `${one}\r\n\t${two}\n ${other}` }, 34],
    [{ References: `${one},${two}` }, 34],
    [{ 'In-Reply-To': one, References: two }, 12],
    [{ 'In-Reply-To': other, References: two }, 34],
    [{ 'In-Reply-To': messageId(null), References: one }, 12],
    [{ References: `${`${other} `.repeat(300)}${one}` }, 12],
    [{ 'In-Reply-To': `<incident-12@${host}>` }, null],
    [{ 'In-Reply-To': other }, null],
    [{ 'Message-ID': one }, null],
    [{}, null],
  ])('(%#) leads to the incident of the nearest email of ours', (given, incident) => {
    const headers = emailHeaders(given)
    expect(answeredIncident(headers, { key, host })?.incidentId ?? null).toBe(incident)
    if (incident !== null) expect(answersOurs(headers, host)).toBe(true)
  })
})
