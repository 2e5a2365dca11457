import { z } from 'zod'
import { instant, shape } from '../../platform/http/json.js'
import type { Flag } from '../../platform/ops/flag.js'
import { flags } from '../../vocabulary/flags.js'

/** A switch of the service (decision 6.2). */
export const FlagJson = shape('Flag', {
  name: z.enum(flags),
  enabled: z.boolean(),
  updatedAt: instant.nullable(),
})

export function presentFlag({ name, enabled, updatedAt }: Flag): z.output<typeof FlagJson> {
  return { name, enabled, updatedAt: updatedAt?.toISOString() ?? null }
}
