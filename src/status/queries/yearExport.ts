import type { Readable } from 'node:stream'
import { columnsOf, csvPlain, csvText, literal } from '../../platform/db/csvColumns.js'
import { csvFile } from '../../platform/db/csvFile.js'

/** The columns of the file, in order, as PostgreSQL types them. */
const types = {
  year: 'integer',
  of: 'text',
  assetId: 'integer',
  asset: 'text',
  tower: 'text',
  uptime: 'text',
  outages: 'integer',
  downtimeHours: 'float8',
  repeats: 'integer',
  costCents: 'bigint',
  reports: 'integer',
  hoursToAnswer: 'float8',
  hoursToRepair: 'float8',
  repaired: 'integer',
  confirmed: 'integer',
} as const

/** A line of the file: an asset's year, or that of `elsewhere` or the whole `building`. */
export type YearLine = Record<keyof typeof types, string | number | null>

/** Text written by people. */
const written: readonly string[] = ['asset', 'tower']

/** The lines as CSV, in the form of every other file. Resolves with the first bytes. */
export async function yearAsCsv(
  lines: readonly YearLine[],
  format: { byteOrderMark: boolean },
): Promise<Readable> {
  const names = Object.entries(types)
  const columns = names.map(([name]) => [name, (written.includes(name) ? csvText : csvPlain)(`r."${name}"`)])
  const { list, quoted } = columnsOf(Object.fromEntries(columns))
  const typed = names.map(([name, type]) => `"${name}" ${type}`).join(', ')
  const select = `select ${list} from json_to_recordset(${literal(JSON.stringify(lines))}::json) r (${typed})`
  return csvFile({ select, quoted }, format)
}
