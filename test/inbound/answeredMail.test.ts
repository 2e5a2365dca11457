import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { belowOwnMail, htmlAbove, type OwnMail, splitReply } from '../../src/inbound/parse/answeredMail.js'
import { withoutContactDetails } from '../../src/vocabulary/email/contactDetails.js'
import { withoutOwnLinks, writeAboveMark } from '../../src/vocabulary/email/ownEmail.js'
import { readEndpoints } from '../support/routes/endpoints.js'
import { rounds } from '../support/suite/extent.js'
import { computed } from '../support/suite/ticking.js'

const line = '## Reply above this line ##'
const own: OwnMail = {
  writeAbove: [line, '## Responda por encima de esta línea ##'],
  closing: 'Larkspur Court, London',
  names: ['caretaker@house.example', 'our building'],
}

describe('a text that answers a mail of ours', () => {
  it.each([
    ['We will come at 10:00.\nOur building <caretaker@house.example> wrote:', 'We will come at 10:00.'],
    ['It is 2026 already.\nOn Monday 10:00, Our building wrote:', 'It is 2026 already.'],
    ['Ask caretaker@house.example, not me.', 'Ask caretaker@house.example, not me.'],
    ['Monday: nobody came\nTuesday: nobody came', 'Monday: nobody came\nTuesday: nobody came'],
    ['I read:\n\nFrom: Our building\nSent: Monday\nSubject: [INC-5] x', ''],
    ['Is it fixed? No:', 'Is it fixed? No:'],
    ['Words in one line. >', 'Words in one line. >'],
  ])('keeps of %j what was written', (above, kept) => {
    expect(splitReply(`${above}\n\n${line}\nold`, own)?.above).toBe(kept)
  })

  it('is cut in the middle of a line, too, and is none without the whole line', () => {
    expect(splitReply(`Yes. ${line} old`, own)?.above).toBe('Yes. ')
    expect(splitReply('Please write above this line', own)).toBeNull()
    expect(splitReply('## Reply above this', own)).toBeNull()
  })

  it('may stand below, after what ends ours', () => {
    const text = `${line}\nold\nLarkspur Court, London\n\n----\nNew`
    expect(belowOwnMail(text, splitReply(text, own)!, own)).toBe('New')
    const without = `${line}\nold\nNew`
    expect(belowOwnMail(without, splitReply(without, own)!, own)).toBe('')
  })

  it('in HTML ends at the mark of ours, not where somebody writes its name', () => {
    expect(htmlAbove(`<p>New</p><div class="x_${writeAboveMark}">…`)).toBe('<p>New</p>')
    expect(htmlAbove(`<p>What is ${writeAboveMark}?</p>`)).toBeNull()
    expect(htmlAbove('<p>New</p>')).toBeNull()
  })

  it('loses each link of ours that acts for whoever opens it', () => {
    const token = randomBytes(32).toString('base64url')
    const links = readEndpoints.filter(({ path }) => path.endsWith('/:token')).map(({ path }) => path)
    expect(links).toEqual(expect.arrayContaining(['/fixed/:token', '/follow/:token', '/sign-in/link/:token']))
    for (const link of links) {
      const quoted = `https://house.example${link.replace(':token', token)}?no=1`
      expect(withoutOwnLinks(`No.\n> Still broken: ${quoted}`), link).toBe('No.\n> Still broken:')
    }
    expect(withoutOwnLinks('See https://house.example/incidents/12')).toContain('/incidents/12')
  })

  it('is read in time, whatever is in it', () => {
    const parts = [
      ...['#', '-', '--', '_-', ': ', '> ', 'a', '@', 'a@', '/', 'x/unsubscribe', '\n', 'From: ', ' '],
      `${line}\n`,
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...parts),
        fc.constantFrom(...parts),
        fc.boolean(),
        (part, other, marked) => {
          const text = `${(part + other).repeat(50_000).slice(0, 50_000)}${marked ? line : ''}`
          const started = computed()
          const found = splitReply(text, own)
          if (found) belowOwnMail(text, found, own)
          withoutOwnLinks(text)
          withoutContactDetails(text.slice(0, 20_000), 'Ann Bee', '-')
          expect(computed() - started).toBeLessThan(1_500)
        },
      ),
      { numRuns: rounds(80) },
    )
  })
})
