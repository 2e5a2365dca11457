import { z } from 'zod'
import * as kinds from '../db/columnKinds.js'

export const rowId = kinds.idColumn.json
export const wholeNumber = z.int().min(0)
/** An instant, as `Date.toISOString` prints it (UTC). */
export const instantText = kinds.instantColumn.json

/** The schema of an answer with exactly these fields; `name` is its name in the API description. */
export function shape<const T extends z.ZodRawShape>(name: string, fields: T) {
  return z.strictObject(fields).meta({ id: name })
}

/** What a row holds where JSON has this: for an instant as text, the instant. */
type Stored<V> = V extends string ? V | Date : V
type RowOf<J> = { [N in keyof J]: Stored<J[N]> }

/** A row as the schema shows it: its fields alone, instants as text. */
export function fromRow<T extends z.ZodRawShape>(
  { shape: fields }: z.ZodObject<T>,
  row: RowOf<z.output<z.ZodObject<T>>>,
) {
  const values: Record<string, unknown> = row
  const entries = Object.keys(fields).flatMap((name) => {
    const value = values[name]
    if (value === undefined) return []
    return [[name, value instanceof Date ? value.toISOString() : value]]
  })
  return Object.fromEntries(entries) as z.output<z.ZodObject<T, z.core.$strict>>
}
