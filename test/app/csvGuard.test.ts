import { randomUUID } from 'node:crypto'
import { parse } from 'csv/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'
import { insertRow } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
describe('no cell of a file', () => {
  it('of incidents begins a formula, however it is split, and every text can be had back', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ title: filled, description: cell, name: filled }), {
          minLength: 1,
          maxLength: 12,
        }),
        async (rows) => {
          const csv = await download(`/api/export/incidents.csv?unitId=${await writeRows(rows, `#${run++}`)}`)
          expect(formulasIn(csv)).toEqual([])
          const read = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
          expect(
            read.reverse().map(({ title, description, reporterName }) => ({
              title: recovered(title!),
              description: recovered(description!),
              name: recovered(reporterName!),
            })),
          ).toEqual(rows)
        },
      ),
      { numRuns: perRun({ quick: 10, whole: 150 }) },
    )
  })

  it('of the audit log does', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(cell, cell, async (name, value) => {
        const number = 900_000 + run++
        await insertRow('audit_entries', {
          actor_type: 'system',
          actor_name: name,
          action: 'probe.made',
          entity: 'probe',
          entity_id: number,
          changes: JSON.stringify({ field: { before: null, after: value } }),
          via: 'web',
          request_id: name,
          affects_status: false,
        })
        const csv = await download(`/api/export/audit.csv?entity=probe&entityId=${number}`)
        expect(formulasIn(csv)).toEqual([])
        const [read] = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
        expect(recovered(read!.actorName!)).toBe(name)
        expect(JSON.parse(recovered(read!.changes!))).toEqual({ field: { before: null, after: value } })
      }),
      { numRuns: perRun({ quick: 10, whole: 60 }) },
    )
  })

  it('is more than it has to be', async () => {
    const guarded = [
      [`Lift ;=cmd|' /C calc'!A0`, `Lift ;'=cmd|' /C calc'!A0`],
      ['\u200b=1+1', `\u200b'=1+1`],
      ['a\n\u00a0＝1', `a\n\u00a0'＝1`],
      ['x|"-1', `x|"'-1`],
      ["'=1", "''=1"],
      ['well-known - and 3=3', 'well-known - and 3=3'],
      ['a, b; c', 'a, b; c'],
    ] as const
    const rows = guarded.map(([title]) => ({ title, description: '', name: 'n' }))
    const csv = await download(`/api/export/incidents.csv?unitId=${await writeRows(rows, 'guarded')}`)
    const read = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
    expect(read.reverse().map(({ title }) => title)).toEqual(guarded.map(([, title]) => title))
  })
})

describe('the file itself', () => {
  it('has every text in quotation marks, and numbers and dates bare', async () => {
    const unit = await writeRows([{ title: 'plain', description: '', name: 'n' }], 'quotes')
    const [, line] = (await download(`/api/export/incidents.csv?unitId=${unit}`)).split('\r\n')
    expect(line).toMatch(/^\d+,"plain","",low,open,false,,,\d+,"quotesn · quotesplain","n",false,web,\d{4}-/)
  })

  it('has a byte order mark for whoever asks for one, as the links on the pages do', async () => {
    for (const [page, path] of [
      ['/incidents', '/api/export/incidents.csv'],
      ['/admin/audit', '/api/export/audit.csv'],
    ] as const) {
      expect(await download(path)).toMatch(/^id,/)
      expect(await download(`${path}?bom=0`)).toMatch(/^id,/)
      expect(await download(`${path}?bom=1`)).toMatch(/^\ufeffid,/)
      expect((await house.ask('admin', `${path}?bom=yes`)).status).toBe(400)
      const link = (await house.page('admin', page))(`a[href^="${path}"]`).attr('href')!
      expect(await download(link)).toMatch(/^\ufeffid,/)
    }
  })
})

const separators = [',', ';', '\t', '|'] as const

/** The signs that begin a formula. */
const formula = '=+@\\-＝＋－＠﹢﹣﹦﹫'

/** What a spreadsheet, or someone’s eye, passes over. */
const blank =
  '\\s\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff'

const begins = new RegExp(`^[${blank}]*[${formula}]`, 'u')

/**
 * The cells a spreadsheet makes of a file: quotation marks count at the start of a cell,
 * what follows them is added.
 */
function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let at = 0
  const end = () => {
    cells.push(cell)
    cell = ''
  }
  while (at < csv.length) {
    if (cell === '' && csv[at] === '"' && (at === 0 || [separator, '\n', '\r'].includes(csv[at - 1]!))) {
      at += 1
      while (at < csv.length && (csv[at] !== '"' || csv[at + 1] === '"')) {
        if (csv[at] === '"') at += 1
        cell += csv[at++]
      }
      at += 1
    } else if (csv[at] === separator || csv[at] === '\n' || csv[at] === '\r') {
      end()
      at += 1
    } else cell += csv[at++]
  }
  end()
  return cells
}

/** The cells of a reader that knows nothing of quotation marks but to take them away. */
function splitAt(csv: string, separator: string) {
  return csv
    .split(new RegExp(`[\\r\\n${separator === '|' ? '\\|' : separator}]`))
    .map((part) => part.replace(/^[\s"]+/, ''))
}

/** The cells that a spreadsheet would run, by the separator it splits at. */
function formulasIn(csv: string) {
  return separators.flatMap((separator) =>
    [...cellsOf(csv, separator), ...splitAt(csv, separator)]
      .filter((cell) => begins.test(cell))
      .map((cell) => `${separator} ${JSON.stringify(cell)}`),
  )
}

/** The text as it was: one apostrophe less wherever one may have been put. */
function recovered(cell: string): string {
  const passed =
    '[ "\\u0001-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u00a0\\u00ad\\u1680\\u180e\\u2000-\\u200f\\u202a-\\u202f\\u205f-\\u206f\\u3000\\ufeff]*'
  const inside = new RegExp(`(^|[,;|\\t\\n\\r\\v\\f\\u0085\\u2028\\u2029])(${passed})'('*[${formula}])`, 'gu')
  return cell.replace(/^'('*[\t\n\r])/, '$1').replace(inside, '$1$2$3')
}

const nasty = fc
  .array(
    fc.constantFrom(
      ',',
      ';',
      '\t',
      '|',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\u00a0',
      '\u200b',
      '\ufeff',
      '\u2060',
      '\u3000',
      '\v',
      '\u2028',
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＋',
      '－',
      '＠',
      '﹦',
      '"',
      '""',
      "'",
      "''",
      '.',
      'a',
      '1',
      '漢',
      '😀',
      "=cmd|' /C calc'!A0",
      '=1+1',
      'HYPERLINK("x")',
      '; =1',
      ';"=1',
      '","',
      '";"',
      "';'=",
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

const cell = fc
  .oneof({ weight: 4, arbitrary: nasty }, fc.string({ unit: 'grapheme', maxLength: 20 }))
  .map((text) => text.replaceAll('\0', ''))

/** Titles and names are never empty. */
const filled = cell.map((text) => `${text}.`)

/** A file as the bytes say it, with its byte order mark. */
async function download(path: string): Promise<string> {
  const answer = await house.ask('admin', path)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer()).toString()
}

type Row = { title: string; description: string; name: string }

/**
 * Writes the texts where people's words may stand: an incident's, its reporter's name, a flat's
 * and its tower's; returns the flat's id. By SQL, for the product refuses some of them.
 */
async function writeRows(rows: Row[], mark: string): Promise<number> {
  const tower = await insertRow('towers', { name: `${mark}${rows[0]!.name}` })
  const number = mark + [...rows[0]!.title].slice(0, 20).join('')
  const { id } = await insertRow('units', { tower_id: tower.id, number, floor: 1 })
  const given = `rows from (json_to_recordset($1) as (title text, description text, name text))
    with ordinality as r (title, description, name, n)`
  const token = randomUUID()
  await query(`insert into users (name, email, role) select r.name, r.n || $2, 'resident' from ${given}`, [
    JSON.stringify(rows),
    `@${token}.example`,
  ])
  await query(
    `insert into incidents (title, description, severity, source, unit_id, reporter_id)
     select r.title, r.description, 'low', 'web', $3, u.id
     from ${given} join users u on u.email = r.n || $2 order by n`,
    [JSON.stringify(rows), `@${token}.example`, id],
  )
  return id
}
