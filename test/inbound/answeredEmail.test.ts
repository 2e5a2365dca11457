import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOfHtml } from '../../src/inbound/words/parts/htmlText.js'
import { withoutContactDetails } from '../../src/vocabulary/email/contactDetails.js'
import { withoutOwnLinks, writeAboveMark } from '../../src/vocabulary/email/ownEmail.js'
import { newWords, own } from '../support/email/ownEmail.js'
import { readEndpoints } from '../support/routes/endpoints.js'
import { perRun } from '../support/run/extent.js'
import { computed } from '../support/run/ticking.js'

const line = own.writeAbove[0]!

describe('a text that answers an email of ours', () => {
  it.each([
    ['We will come at 10:00.\nOur building <caretaker@house.example> wrote:', 'We will come at 10:00.'],
    ['It is 2026 already.\nOn Monday 10:00, Our building wrote:', 'It is 2026 already.'],
    ['Ask caretaker@house.example, not me.', 'Ask caretaker@house.example, not me.'],
    ['Monday: nobody came\nTuesday: nobody came', 'Monday: nobody came\nTuesday: nobody came'],
    ['I read:\n\nFrom: Our building\nSent: Monday\nSubject: [INC-5] x', ''],
    ['Is it fixed? No:', 'Is it fixed? No:'],
    ['Words in one line. >', 'Words in one line. >'],
  ])('keeps of %j what was written', (above, kept) => {
    expect(newWords(`${above}\n\n${line}\nWhere: South lift`)).toBe(kept)
  })

  it('ends in the middle of a line, too, and is no quotation without the whole first line', () => {
    expect(newWords(`Yes. ${line} Where: South lift`)).toBe('Yes.')
    expect(newWords('Please write above this line')).toBe('Please write above this line')
    expect(newWords('## Reply above this')).toBe('## Reply above this')
  })

  it('may stand below ours, with and without its end', () => {
    expect(newWords(`${line}\nWhere: here\n${own.closing}\n\n----\nNew`)).toBe('New')
    expect(newWords(`${line}\nWhere: here\nNew`)).toBe('New')
  })

  it('in HTML ends at the mark of ours, not where somebody writes its name', async () => {
    const marked = `<p>New</p><div class="x_${writeAboveMark}">Where: here</div>`
    expect(newWords(await textOfHtml(marked, line))).toBe('New')
    const typed = `What is ${writeAboveMark}?`
    expect(newWords(await textOfHtml(`<p>${typed}</p>`, line))).toBe(typed)
    expect(newWords(await textOfHtml('<p>New</p>', line))).toBe('New')
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
      '#',
      '-',
      '--',
      '_-',
      ': ',
      '> ',
      'a',
      '@',
      'a@',
      '/',
      'x/unsubscribe',
      '\n',
      'From: ',
      ' ',
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
          newWords(text)
          withoutOwnLinks(text)
          withoutContactDetails(text.slice(0, 20_000), 'Ann Bee', '-')
          expect(computed() - started).toBeLessThan(1_500)
        },
      ),
      { numRuns: perRun({ quick: 16, whole: 80 }) },
    )
  })
})
