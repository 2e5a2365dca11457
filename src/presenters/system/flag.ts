import { z } from 'zod'
import { flags } from '../../domain/system/flags.js'
import type { Flag } from '../../models/system/flag.js'
import { instant, shape } from '../json.js'

/** A switch of the service (decision 6.2). */
export const FlagJson = shape('Flag', {
  name: z.enum(flags),
  enabled: z.boolean(),
  updatedAt: instant.nullable(),
})

export function presentFlag({ name, enabled, updatedAt }: Flag): z.output<typeof FlagJson> {
  return { name, enabled, updatedAt: updatedAt?.toISOString() ?? null }
}
