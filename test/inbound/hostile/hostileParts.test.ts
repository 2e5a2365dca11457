import { describe, expect, it } from 'vitest'
import { textOfHtml } from '../../../src/inbound/words/parts/htmlText.js'
import { missingLines } from '../../../src/inbound/words/parts/missingLines.js'
import { publicWords } from '../../../src/inbound/words/publicWords.js'
import { separateWords } from '../../../src/inbound/words/separateWords.js'
import { hostileHtml, hostileText } from '../../support/email/hostileEmails.js'
import { newWords, own } from '../../support/email/ownEmail.js'
import { perRun } from '../../support/run/extent.js'
import { calmest, computed, filled, ticking, turn } from '../../support/run/ticking.js'

const calmly = <T>(act: () => Promise<T>) => calmest(() => ticking(act))
const mark = own.writeAbove[0]!

describe('the event loop goes on while an email is read', () => {
  const html = perRun({ quick: { every: 10 }, whole: Object.entries(hostileHtml) })
  it.each(html)('that is HTML of %s', async (_what, html) => {
    const { result, longest } = await calmly(() => textOfHtml(html, mark))
    expect(typeof result).toBe('string')
    expect(result.length).toBeLessThanOrEqual(250_000)
    expect(longest).toBeLessThan(turn)
  })

  const answers = perRun({ quick: { every: 10 }, whole: Object.entries(hostileText) })
  it.each(answers)('that answers with %s', async (_what, text) => {
    const { result, longest } = await calmly(async () => newWords(text))
    expect(result.length).toBeLessThanOrEqual(text.length)
    expect(longest).toBeLessThan(turn)
  })

  const quoting = perRun({ quick: { every: 10, from: 1 }, whole: Object.entries(hostileText) })
  it.each(quoting)('that quotes ours around %s', async (_what, text) => {
    const stored = [text, filled('A stored sentence. ', 50_000)]
    const quoted = `${text.slice(0, 25_000)}\n${mark}\n${text.slice(0, 25_000)}\n${own.closing}`
    const { longest } = await calmly(async () => newWords(quoted, { storedTexts: stored, isExact: true }))
    expect(longest).toBeLessThan(turn)
  })

  it('and the next one is read as if nothing had been', async () => {
    const hostile = textOfHtml(hostileHtml['"<div>" without end']!, mark)
    const ordinary = textOfHtml('<p>The <b>lift</b> is stuck</p>', mark)
    expect([await hostile, await ordinary]).toEqual(['', 'The lift is stuck'])
  })
})

const million = 1_000_000
const long: [string, string][] = [
  ['a line of a megabyte', filled('word ', million)],
  ['a megabyte of one letter', filled('x', million)],
  [
    'ten thousand quote levels',
    Array.from({ length: 10_000 }, (_, i) => `${'>'.repeat(i % 400)} x`).join('\n'),
  ],
  ['a hundred thousand quote signs', '>'.repeat(100_000)],
  ['a hundred thousand quoted lines', filled('> x\n', 400_000)],
  ['our first line, again and again', filled(`${mark}\n`, million)],
  ['our last line, again and again', filled(`${mark}\n${own.closing}\n`, million)],
  ['headers', filled('From: a@b.example\nTo: c@d.example\nSubject: x\n', million)],
  ['sentences that introduce', filled('On 16 Nov 2026 10:00, A <a@b.example> wrote:\n', million)],
  ['digits', filled('1 ', million)],
  ['addresses', filled('a@b.example ', million)],
]

describe('an email of a megabyte', () => {
  it.each(long)('of %s is separated within a turn', async (_what, text) => {
    const email = { subject: 'Re: x', text, html: '', attachedEmails: [] }
    const stored = [filled('Which side is it? ', 10_000)]
    const { result, longest } = await calmly(() =>
      separateWords(email, { isAnswer: true, quoteMarks: own, storedTexts: stored }),
    )
    expect(longest).toBeLessThan(turn)
    const started = computed()
    publicWords(result.newWords, {
      isProvenStaff: false,
      senderName: 'Ann Bee',
      hasHiddenReporter: true,
      removed: '-',
    })
    missingLines(text.slice(0, 100_000), result.whole)
    expect(computed() - started).toBeLessThan(turn)
  })
})

it('an ordinary answer takes a few milliseconds', () => {
  const stored = Array.from(
    { length: 100 },
    (_, i) => `The engineer of firm ${i} came and looked at it. It works.`,
  )
  const quoted = stored.slice(0, 20).map((line) => `> ${line}`)
  const text = [
    'Yes.',
    '',
    'On 16 Nov 2026, Larkspur Court <reports@house.example> wrote:',
    `> ${mark}`,
    ...quoted,
  ]
  newWords(text.join('\n'), { storedTexts: stored })
  const started = computed()
  for (let i = 0; i < 20; i++) expect(newWords(text.join('\n'), { storedTexts: stored })).toBe('Yes.')
  expect((computed() - started) / 20).toBeLessThan(50)
})
