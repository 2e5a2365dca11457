import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerText } from '../../src/inbound/parse/headers.js'
import { readSender } from '../../src/inbound/parse/sender.js'
import { taggedIncident } from '../../src/inbound/parse/subject.js'
import { cleanLine, cleanText, cut } from '../../src/vocabulary/plainText.js'

/** Any text JavaScript can hold, half characters and control characters included. */
const anything = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
})

describe('a text from outside', () => {
  it('is cut by whole characters, and never longer than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 50 }), (text, max) => {
        const short = cut(text, max)
        expect([...short].length).toBe(Math.min(max, [...text].length))
        expect(text.startsWith(short) && short.isWellFormed()).toBe(true)
      }),
    )
  })

  it('can be stored once it is clean, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const clean = cleanText(text)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).not.toMatch(/[^\P{Cc}\n\t]/u)
        expect(cleanText(clean)).toBe(clean)
        expect(cleanLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }),
    )
  })

  it('as a sender never makes an address into a name', () => {
    fc.assert(
      fc.property(anything, anything, (before, after) => {
        const { name, address } = readSender(`${before}<ada@x.example>${after}`, null)
        expect(name ?? '').not.toMatch(/[@<>\n]/)
        expect([null, 'ada@x.example']).toContain(address)
      }),
    )
  })
})

describe('a sender', () => {
  it.each([
    ['Ada Novak <Ada@X.example>', 'Ada Novak', 'ada@x.example'],
    ['"Novak, \\"Ada\\"" <ada@x.example>', 'Novak, Ada', 'ada@x.example'],
    ['ada@x.example', null, 'ada@x.example'],
    ['<ada@x.example>', null, 'ada@x.example'],
    ['ada@x.example (Ada)', 'Ada', 'ada@x.example'],
    ['"evil@y.example" <ada@x.example>', null, 'ada@x.example'],
    ['"Ada <evil@y.example>" <ada@x.example>', null, 'ada@x.example'],
    ['=?ISO-8859-1?Q?Ad=E9_N?= <ada@x.example>', 'Adé N', 'ada@x.example'],
    ['=?nonsense?Q?x?= <ada@x.example>', 'x', 'ada@x.example'],
    ['Ada', null, null],
    ['', null, null],
  ])('%j is %j at %j', (from, name, address) => {
    expect(readSender(from, null)).toEqual({ name, address })
  })
})

describe('a subject', () => {
  it.each([
    ['[INC-7] x', 7],
    ['Re: Fwd: [inc-0007]', 7],
    ['[INC-7][INC-8]', 7],
    ['[ INC - 7 ]', 7],
    ['[INC–7]', 7],
    ['[INC-\r\n 7] folded', 7],
    ['[INC-1e3]', null],
    ['[INC-]', null],
    ['[INC-2147483647]', 2_147_483_647],
    ['[INC-2147483648]', null],
    ['[INC-0]', null],
    ['[INC--7]', null],
    ['(INC-7)', null],
    ['INC-7', null],
  ])('%j names %j', (subject, id) => {
    expect(taggedIncident(subject)).toBe(id)
  })

  it.each([
    ['a character cut in two', '=?utf-8?Q?Aufzug_f=C3?= =?utf-8?Q?=BCr?= alle', 'Aufzug für alle'],
    ['two words that cannot be joined', '=?utf-8?B?TGlmdA==?= =?utf-8?B?IDc=?=', 'Lift 7'],
    ['a language', '=?utf-8*en?Q?Lift?=', 'Lift'],
    ['a question mark alone', 'Lift=? stuck ?=', 'Lift=? stuck ?='],
    ['two character sets', '=?iso-8859-1?Q?=E9?= =?utf-8?Q?=C3=A9?=', 'éé'],
    ['an unknown character set', '=?nonsense?Q?x=C3=A9?=', 'xé'],
  ])('with %s is read', (_what, header, read) => {
    expect(headerText(header)).toBe(read)
  })

  it('is decoded, joined and on one line', () => {
    expect(headerText('=?utf-8?B?TGlm?= =?utf-8?Q?t_=5BINC-7=5D?=\r\n stuck')).toBe('Lift [INC-7] stuck')
  })
})
