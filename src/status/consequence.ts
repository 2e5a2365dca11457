import { z } from 'zod'
import { rowId, shape } from '../platform/http/json.js'
import { assetStatuses } from '../vocabulary/assetStatus.js'
import type { AssetStanding } from './queries/assetStanding.js'
import { percent } from './rules/uptime.js'

/** An asset's status and uptimes at one moment; percentages with two decimals. */
const seen = { status: z.enum(assetStatuses), uptime30: z.string(), uptime90: z.string() }

/** An asset before and after a change that is only tried. */
export const ConsequenceJson = shape('Consequence', {
  assetId: rowId,
  name: z.string(),
  before: z.strictObject(seen),
  after: z.strictObject(seen),
})
export type Consequence = z.output<typeof ConsequenceJson>

export function presentConsequence({
  before,
  after,
}: {
  before: AssetStanding
  after: AssetStanding
}): Consequence {
  return { assetId: before.id, name: before.name, before: shown(before), after: shown(after) }
}

function shown({ status, uptime30, uptime90 }: AssetStanding) {
  return { status, uptime30: percent(uptime30), uptime90: percent(uptime90) }
}
