import { z } from 'zod'
import { maxId } from '../../vocabulary/limits.js'
import * as csv from './csv.js'

/** How a column's values appear: in the table, in JSON (with its schema) and in a CSV file. */
export type Kind<Value, Json extends z.ZodType> = {
  type: 'integer' | 'text' | 'boolean' | 'timestamptz' | 'date'
  json: Json
  present: (value: Value) => z.output<Json>
  csv: (sql: string) => csv.CsvColumn
}

const asItIs = <T>(value: T): T => value

const idJson = z.int().min(1).max(maxId)
export const idColumn: Kind<number, typeof idJson> = {
  type: 'integer',
  json: idJson,
  present: asItIs,
  csv: csv.csvPlain,
}

const wholeJson = z.int()
/** Any whole number, such as a floor. */
export const wholeColumn: Kind<number, typeof wholeJson> = {
  type: 'integer',
  json: wholeJson,
  present: asItIs,
  csv: csv.csvPlain,
}

/** How many of something. */
export const countColumn = { ...wholeColumn, json: z.int().min(0) }

/** Text written by people. */
export const textColumn: Kind<string, z.ZodString> = {
  type: 'text',
  json: z.string(),
  present: asItIs,
  csv: csv.csvText,
}

/** A word of ours, of no fixed list. */
export const termColumn = { ...textColumn, csv: csv.csvPlain }

export const flagColumn: Kind<boolean, z.ZodBoolean> = {
  type: 'boolean',
  json: z.boolean(),
  present: asItIs,
  csv: (sql) => csv.csvPlain(`${sql}::text`),
}

/** An instant; in JSON as `Date.toISOString` writes it. */
export const instantColumn: Kind<Date, z.ZodISODateTime> = {
  type: 'timestamptz',
  json: z.iso.datetime(),
  present: (at) => at.toISOString(),
  csv: csv.csvInstant,
}

/** A calendar day, YYYY-MM-DD. */
export const dayColumn: Kind<string, z.ZodISODate> = {
  type: 'date',
  json: z.iso.date(),
  present: asItIs,
  csv: csv.csvPlain,
}

/** One word of a fixed list. */
export function word<const T extends readonly [string, ...string[]]>(words: T) {
  const json = z.enum(words)
  return { type: 'text', json, present: asItIs, csv: csv.csvPlain } as Kind<T[number], typeof json>
}

/** The same kind, or null. */
export function orNull<Value, Json extends z.ZodType>({
  type,
  json,
  present,
  csv: toCsv,
}: Kind<Value, Json>) {
  const nullable = json.nullable()
  const presentAny = (value: Value | null) => (value === null ? null : present(value))
  return { type, json: nullable, present: presentAny, csv: toCsv } as Kind<Value | null, typeof nullable>
}
