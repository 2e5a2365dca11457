import { z } from 'zod'
import { assetStatuses } from '../../domain/status/assetStatus.js'
import { percent } from '../../domain/status/uptime.js'
import type { IncidentRow, StatusRows } from '../../models/status/status.js'
import { rowId, shape } from '../json.js'
import type { AssetState } from '../status/assetState.js'
import { buildingState } from '../status/status.js'

/** An asset's status and uptimes at one moment. */
const seen = { status: z.enum(assetStatuses), uptime30: z.string(), uptime90: z.string() }

/** An asset before and after the correction of an incident; percentages with two decimals. */
export const ConsequenceJson = shape('Consequence', {
  assetId: rowId,
  name: z.string(),
  before: z.strictObject(seen),
  after: z.strictObject(seen),
})
export type Consequence = z.output<typeof ConsequenceJson>

/** The incident's corrected fields; null when it no longer counts for any asset. */
export type Corrected = Pick<IncidentRow, 'assetId' | 'severity' | 'isDowntime' | 'downAt'> | null

/**
 * The asset of the incident and, when the correction moves it, the other one: both as they are and would be.
 */
export function consequences(rows: StatusRows, incidentId: number, corrected: Corrected): Consequence[] {
  const stored = rows.incidents.find(({ id }) => id === incidentId)
  const others = rows.incidents.filter(({ id }) => id !== incidentId)
  const incidents = stored && corrected ? [...others, { ...stored, ...corrected }] : others
  const concerned = new Set([stored?.assetId, corrected?.assetId])
  const [before, after] = [buildingState(rows), buildingState({ ...rows, incidents })]
  return before.assets
    .filter(({ id }) => concerned.has(id))
    .map((asset) => {
      const changed = after.assets.find(({ id }) => id === asset.id)!
      return { assetId: asset.id, name: asset.name, before: shown(asset), after: shown(changed) }
    })
}

function shown({ status, uptime30, uptime90 }: Pick<AssetState, 'status' | 'uptime30' | 'uptime90'>) {
  return { status, uptime30: percent(uptime30), uptime90: percent(uptime90) }
}
