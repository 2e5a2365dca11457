import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { checkout } from '../support/compiled.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const folder = path.join(checkout, 'test/building/sheets')

const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.csv'))
  .map((file) => file.split(path.sep).join('/').slice(0, -'.csv'.length))
  .sort()

describe('a spreadsheet', () => {
  it.each(sheets)('%s', async (name) => {
    const kind = name.split('/')[0]!
    const expected = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Expected
    const answer = await sendSheet(
      `/api/admin/import/${kind}`,
      'application/json',
      formWith(name, { dryRun: 'true' }),
    )
    const result = await answer.json()
    const preview = await sendSheet('/admin/import', 'text/html', formWith(name, { kind }))
    if ('problems' in expected) {
      const problems = expected.problems.map(({ message, ...problem }) => ({
        ...problem,
        message: expect.stringContaining(message ?? ''),
      }))
      expect([answer.status, result.code]).toEqual([422, 'import_refused'])
      expect(result.rows).toMatchObject(problems)
      expect(result.rows).toHaveLength(problems.length)
      expect(preview.status).toBe(422)
      return
    }
    const { created, ignoredColumns, shows } = expected
    expect([answer.status, result]).toEqual([
      200,
      expect.objectContaining({ kind, rows: created, created, updated: 0, unchanged: 0, ignoredColumns }),
    ])
    const page = load(await preview.text())
    expect(preview.status).toBe(200)
    const shown = page('main').text()
    expect(shows.filter((text) => !shown.includes(text))).toEqual([])
  })
})

/** What a trial run of an import says of a sheet, written by hand. */
type Expected =
  | { created: number; ignoredColumns: string[]; shows: string[] }
  | { problems: { row: number; line?: number; column: string | null; code: string; message?: string }[] }

/** A form with the sheet as the file that someone chose. */
function formWith(name: string, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([new Uint8Array(readFileSync(path.join(folder, `${name}.csv`)))]), 'sheet.csv')
  return form
}

/** Sends the form with the sheet, and asks for an answer of this type. */
function sendSheet(path: string, accept: string, body: FormData) {
  return house.ask('admin', path, { body, headers: { accept, 'sec-fetch-site': 'same-origin' } })
}
