import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { formatFor } from '../../src/platform/http/format/format.js'
import { westernDigits } from '../../src/vocabulary/digits.js'
import { day, moment, optionalLine, singleLine, trimmedText } from '../../src/vocabulary/inputRules.js'
import { centsFrom } from '../../src/vocabulary/money.js'

describe('letters that no one sees', () => {
  it.each([
    ['blanks that do not break', '\u00a0\u202f'],
    ['letters of no width', '\u200b\u200d\ufeff'],
    ['marks of direction', '\u202e\u2066\u200f'],
    ['fillers of Korean', '\u3164\u115f'],
    ['empty Braille', '\u2800'],
    ['selectors of pictures', '\ufe0f\u{e0100}'],
  ])('alone are no title: %s', (_what, title) => {
    expect(singleLine('title').safeParse(title).error?.issues[0]?.message).toBe('title_required')
    expect(trimmedText('note').safeParse(title).error?.issues[0]?.message).toBe('note_required')
    expect(trimmedText('note', 100, 0).parse(title)).toBe('')
  })

  it('stay where a word needs them', () => {
    for (const title of ['👩🏽‍🔧 needed', 'می‌خواهم', 'אבג\u200f 12'])
      expect(singleLine('title').parse(title)).toBe(title)
  })

  it('do not turn around what stands beside a title or a number', () => {
    expect(singleLine('title').parse('\u202eLift\u202c is \u2067out')).toBe('Lift is out')
    expect(optionalLine('phone', 50).parse('\u202d+44 20 7946 0120\u202c')).toBe('+44 20 7946 0120')
  })
})

describe('digits of other scripts', () => {
  it.each([
    ['Arabic', '١٢٣', '123'],
    ['Persian', '۴۵۶', '456'],
    ['Devanagari', '०१९', '019'],
    ['full-width', '７８９', '789'],
    ['Thai among letters', 'ชั้น ๓', 'ชั้น 3'],
    ['mathematical', '𝟗𝟘𝟙', '901'],
    ['of none', 'm² ½ ④ 5', 'm² ½ ④ 5'],
  ])('read as ours: %s', (_what, typed, read) => {
    expect(westernDigits(typed)).toBe(read)
  })

  it('are read in times, days, amounts and telephone numbers', () => {
    const when = z.object({ at: moment('startsAt', 'Europe/London'), on: day('dueOn') })
    expect(when.parse({ at: '٢٠٢٦-٠٧-٠١T١٠:٣٠', on: '２０２６-０７-０１' })).toEqual({
      at: new Date('2026-07-01T09:30:00Z'),
      on: '2026-07-01',
    })
    expect(centsFrom('١٬٢٥٠٫٥٠', 'en-GB', 'GBP')).toEqual({ cents: 125_050 })
    expect(centsFrom('１，２５０．５０', 'en-GB', 'GBP')).toEqual({ cents: 125_050 })
    expect(formatFor('en', 'UTC').tel('＋٤٤ ٢٠ 7946')).toBe('+44207946')
  })
})
