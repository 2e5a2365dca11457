import { describe, expect, it } from 'vitest'
import { hasHiddenWords, storableText } from '../../src/incidents/acts/keepWholeEmail.js'

const title = 'Lift stuck'
const text = 'It stands between two floors.\n\nSecond paragraph.'

describe('an email says more than what is shown of it', () => {
  // An email, what is shown of it (else all of it), and whether it says more than that.
  it.each<[what: string, subject: string, text: string, more: boolean, shown?: string]>([
    ['all of it is shown', title, text, false],
    ['its lines are broken elsewhere', title, text.replaceAll(' ', '\n'), false],
    ['a line of ours is below it', title, text, false, `${text}\n\n1 file could not be added.`],
    ['an answer, by its subject', `Re: ${title}`, text, false],
    ['an answer with our tag', `AW: [INC-57] Re: ${title}`, text, false],
    ['an answer with the tag of an assignee', `RE: [INC-57/k3j9x2qw] ${title}`, text, false],
    ['a counted answer', `Re[2]: ${title}`, text, false],
    ['without subject', '', text, false],
    ['without words', title, '', false, 'Your email had no new text.'],
    ['a signature', title, `${text}\n\n-- \nAda`, true],
    ['a word in the middle', title, text.replace('two', 'the two'), true],
    ['a part of a word', title, text, true, text.replace('paragraph', 'paragraphs')],
    ['another order', title, 'Second paragraph. It stands between two floors.', true],
    ['a quotation', title, `> ${text}`, true],
    ['a number that was taken out', title, 'Call 555 0100.', true, 'Call (removed).'],
    ['more in the subject', `${title}, flat 4B too`, text, true],
    ['another subject', 'Water', text, true],
    ['a word before the subject that is no mark of an answer', `Urgent: ${title}`, text, true],
    ['a subject of which a mark of an answer alone is left', 'Re: water', text, true],
  ])('%s', (_what, subject, whole, more, shown = text) => {
    expect(hasHiddenWords({ subject, text: whole }, { title, text: shown })).toBe(more)
  })
})

describe('so much of an email is kept', () => {
  it.each([
    ['letters', 'x', 100_000],
    ['letters of two bytes', 'ж', 100_000],
    ['letters of three bytes', '電', 50_000],
    ['signs of four bytes', '\u{1F6D7}', 50_000],
  ])('%s', (_what, letter, characters) => {
    expect([...storableText(letter.repeat(120_000))]).toHaveLength(characters)
    expect(storableText(letter.repeat(900))).toBe(letter.repeat(900))
  })
})

it('links of ours that act for one person are kept of no email', () => {
  const text =
    'It is fixed:\n> https://house.example/fixed/secret-token\n> <https://house.example/unsubscribe/x>'
  expect(storableText(text)).toBe('It is fixed:\n> \n> <>')
})
