import { z } from 'zod'
import * as kinds from '../models/system/kinds.js'

/** An id. */
export const rowId = kinds.id.json
/** How many. */
export const count = z.int().min(0)
/** An instant, as `Date.toISOString` writes it. */
export const instant = kinds.instant.json

/** A shape of an answer: nothing less and nothing more. The description of the service calls it by its name. */
export function shape<const T extends z.ZodRawShape>(name: string, fields: T) {
  return z.strictObject(fields).meta({ id: name })
}
