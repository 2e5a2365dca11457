import { stringify } from 'csv/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../src/platform/http/request/readCsv.js'
import { decodedText, evenLines } from '../../../src/platform/http/request/sheetText.js'
import { perRun } from '../../support/run/extent.js'

describe('a CSV text', () => {
  it('reads back as the table it was made of, whatever separates its cells', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.boolean(),
        async (rows, delimiter, quoted) => {
          const header = rows[0]!.map((_, i) => `column ${i}`)
          const text = stringify([header, ...rows], { delimiter, quoted, record_delimiter: '\n' })
          const { records, broken, more } = await readCsv(text, 1000)
          expect(records.map(({ cells }) => cells)).toEqual([header, ...rows])
          expect([broken, more]).toEqual([null, false])
          expect(records.map(({ row }) => row)).toEqual(records.map((_, i) => i + 1))
        },
      ),
      { numRuns: perRun({ quick: 60, whole: 300 }) },
    )
  })

  it('is read to its end across the slices it is parsed in, letters of many bytes included', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `${i},漢字👩‍🔧${i}`)
    const { records } = await readCsv(`id,text\n${rows.join('\n')}`, 10_000)
    expect(records.slice(1).map(({ cells }) => cells.join())).toEqual(rows)
  })

  it('is read no further than it is asked for', async () => {
    const text = `a\n${'1\n'.repeat(1_000_000)}`
    const { records, more } = await readCsv(text, 100)
    expect([records.length, more]).toEqual([100, true])
    expect((await readCsv('a\n1\n2', 3)).more).toBe(false)
  })

  it('says where a quotation mark opens that nothing closes', async () => {
    expect((await readCsv('a,b\n1,"2\n3"\n4,"5\n6,7\n', 100)).broken).toEqual({ row: 3, line: 4 })
  })

  it('takes a quotation mark within a text for what it is', async () => {
    const { records } = await readCsv('a,b\n5" pipe,"he said ""no"""\n', 100)
    expect(records[1]!.cells).toEqual(['5" pipe', 'he said "no"'])
  })

  it('of nothing has no records', async () => {
    for (const text of ['', '\n', '\n\n , \n']) expect((await readCsv(text, 100)).records).toEqual([])
  })
})

describe('a file of unknown making', () => {
  it('is read in the encodings spreadsheets save in', () => {
    const text = 'Zoë – “€”\nم'
    expect(decodedText(Buffer.from(text))).toBe(text)
    expect(decodedText(Buffer.from(`\ufeff${text}`))).toBe(text)
    expect(decodedText(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text)
    expect(decodedText(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toBe(text)
    expect(decodedText(Buffer.from('Zo\xeb \x96 \x93\x80\x94', 'latin1'))).toBe('Zoë – “€”')
  })

  it('ends its lines with line feeds, however they ended', () => {
    expect(decodedText(Buffer.from('a\r\nb\rc\nd\r\n\r\ne'))).toBe('a\nb\nc\nd\n\ne')
  })

  it('in UTF-8 is never taken for anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodedText(Buffer.from(`x${text}`))).toBe(evenLines(`x${text}`))
      }),
    )
  })
})

const awkward = fc
  .array(fc.constantFrom('"', ',', ';', '\t', '\n', ' ', 'a', 'é', '漢', '👩‍🔧', 'م', "'"), { maxLength: 10 })
  .map((parts) => parts.join(''))

const cell = fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 20 }).map(evenLines))

// A first cell without a byte order mark of its own, and no row of nothing, which is left out.
const table = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 20 }))
  .chain(([width, height]) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  )
  .map((rows) => rows.map(([, ...others], i) => [`row ${i}`, ...others]))
