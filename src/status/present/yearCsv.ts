import type { Readable } from 'node:stream'
import { columnsOf, csvPlain, csvText, literal } from '../../platform/db/csvColumns.js'
import { csvFile } from '../../platform/db/csvFile.js'
import { figureFields, type YearReport } from './yearReport.js'

/** The report as lines of a file: assets, the rest and the building, of both years. */
function yearLines({ year, total, elsewhere, assets }: YearReport) {
  const rows = [
    ...assets.map(({ id, name, towerName, archived, recordedSince, ...row }) => ({
      ...row,
      of: 'asset',
      assetId: id,
      asset: name,
      tower: towerName,
    })),
    { ...elsewhere, of: 'elsewhere', assetId: null, asset: '', tower: '' },
    { ...total, of: 'building', assetId: null, asset: '', tower: '' },
  ]
  return rows.flatMap(({ before, of, assetId, asset, tower, ...figures }) => {
    const place = { of, assetId, asset, tower }
    return [{ year, ...place, ...figures }, ...(before ? [{ year: year - 1, ...place, ...before }] : [])]
  })
}

/** The columns of text that people write. */
const textColumns = ['asset', 'tower']
/** The columns of the file, in order. */
const columns = ['year', 'of', 'assetId', ...textColumns, ...Object.keys(figureFields)]

/** A year as CSV, in the form of every other file. Resolves with the first bytes. */
export async function yearAsCsv(report: YearReport, format: { byteOrderMark: boolean }): Promise<Readable> {
  const sources = columns.map((name) => [
    name,
    (textColumns.includes(name) ? csvText : csvPlain)(`r."${name}"`),
  ])
  const { list, quoted } = columnsOf(Object.fromEntries(sources))
  const lines = literal(JSON.stringify(yearLines(report)))
  const columnTypes = columns.map((name) => `"${name}" text`).join(', ')
  return csvFile(
    { select: `select ${list} from json_to_recordset(${lines}::json) r (${columnTypes})`, quoted },
    format,
  )
}
