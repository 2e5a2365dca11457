import { z } from 'zod'
import * as kinds from '../db/kinds.js'

export const rowId = kinds.idColumn.json
export const wholeNumber = z.int().min(0)
/** An instant, as `Date.toISOString` prints it (UTC). */
export const instantText = kinds.instantColumn.json

/** The schema of an answer with exactly these fields; `name` is its name in the API description. */
export function shape<const T extends z.ZodRawShape>(name: string, fields: T) {
  return z.strictObject(fields).meta({ id: name })
}
