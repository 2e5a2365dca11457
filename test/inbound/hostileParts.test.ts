import { describe, expect, it } from 'vitest'
import { newWords, textOfHtml, withoutSignature } from '../../src/inbound/parse/emailText.js'
import { hostileHtml, hostileText } from '../support/mail/hostileMails.js'
import { sampled } from '../support/suite/extent.js'
import { calmest, ticking, turn } from '../support/suite/ticking.js'

const calmly = <T>(act: () => Promise<T>) => calmest(() => ticking(act))

describe('the event loop goes on while a mail is read', () => {
  it.each(sampled(Object.entries(hostileHtml), 10))('that is HTML of %s', async (_what, html) => {
    const { result, longest } = await calmly(() => textOfHtml(html))
    expect(typeof result).toBe('string')
    expect(result.length).toBeLessThanOrEqual(250_000)
    expect(longest).toBeLessThan(turn)
  })

  it.each(sampled(Object.entries(hostileText), 10, 0))('that answers with %s', async (_what, text) => {
    const { result, longest } = await calmly(() => newWords(text))
    expect(result.length).toBeLessThanOrEqual(text.length)
    expect(longest).toBeLessThan(turn)
  })

  it.each(sampled(Object.entries(hostileText), 10, 1))('that ends with %s', async (_what, text) => {
    const { longest } = await calmly(async () => withoutSignature(text))
    expect(longest).toBeLessThan(turn)
  })

  it('and the next one is read as if nothing had been', async () => {
    const hostile = textOfHtml(hostileHtml['"<div>" without end']!)
    const ordinary = textOfHtml('<p>The <b>lift</b> is stuck</p>')
    expect([await hostile, await ordinary]).toEqual(['', 'The lift is stuck'])
  })

  it('and a hundred at once leave words of each', async () => {
    const { result, longest } = await calmly(() =>
      Promise.all(Array.from({ length: 100 }, (_, i) => newWords(`Words ${i}\n> quoted\n`))),
    )
    expect(result).toEqual(Array.from({ length: 100 }, (_, i) => `Words ${i}`))
    expect(longest).toBeLessThan(turn)
  })
})
