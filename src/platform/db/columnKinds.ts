import { z } from 'zod'
import { maxId } from '../../vocabulary/limits.js'
import * as csv from './csvColumns.js'

/** How a column's values appear: in the table, in JSON (with its schema) and in a CSV file. */
export type ColumnKind<Value, Json extends z.ZodType> = {
  type: 'integer' | 'text' | 'boolean' | 'timestamptz' | 'date'
  json: Json
  present: (value: Value) => z.output<Json>
  csv: (sql: string) => csv.CsvColumn
}

/** A kind whose values JSON and CSV have as the table has them. */
function asStored<Json extends z.ZodType>(
  type: ColumnKind<unknown, Json>['type'],
  json: Json,
): ColumnKind<z.output<Json>, Json> {
  return { type, json, present: (value) => value, csv: csv.csvPlain }
}

export const idColumn = asStored('integer', z.int().min(1).max(maxId))

/** Any whole number, such as a floor. */
export const wholeColumn = asStored('integer', z.int())

/** How many of something. */
export const countColumn = asStored('integer', z.int().min(0))

/** A word of ours, of no fixed list. */
export const termColumn = asStored('text', z.string())

/** Text written by people. */
export const textColumn = { ...termColumn, csv: csv.csvText }

export const flagColumn = {
  ...asStored('boolean', z.boolean()),
  csv: (sql: string) => csv.csvPlain(`${sql}::text`),
}

/** An instant; in JSON as `Date.toISOString` writes it. */
export const instantColumn: ColumnKind<Date, z.ZodISODateTime> = {
  type: 'timestamptz',
  json: z.iso.datetime(),
  present: (at) => at.toISOString(),
  csv: csv.csvInstant,
}

/** A calendar day, YYYY-MM-DD. */
export const dayColumn = asStored('date', z.iso.date())

/** One word of a fixed list. */
export function word<const T extends readonly [string, ...string[]]>(words: T) {
  return asStored('text', z.enum(words))
}

/** The same kind, or null. */
export function orNull<Value, Json extends z.ZodType>({ json, present, ...rest }: ColumnKind<Value, Json>) {
  const nullable = json.nullable()
  const presentAny = (value: Value | null) => (value === null ? null : present(value))
  return { ...rest, json: nullable, present: presentAny } as ColumnKind<Value | null, typeof nullable>
}
