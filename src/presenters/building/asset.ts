import { z } from 'zod'
import type { Viewer } from '../../domain/accounts/actor.js'
import { occurrences } from '../../domain/maintenance/recurrence.js'
import { downtimeOver } from '../../domain/status/uptime.js'
import { limits } from '../../domain/system/limits.js'
import type { AssetYear } from '../../models/building/assetYear.js'
import type { Contact } from '../../models/building/building.js'
import type { ListedIncident } from '../../models/incidents/incident.js'
import type { RollupRows } from '../../models/status/rollup.js'
import { AssetIncidentJson, presentAssetIncident } from '../incidents/incident.js'
import { shape } from '../json.js'
import type { AssetState } from '../status/assetState.js'
import { AssetStatusJson, presentAsset } from '../status/status.js'
import { assetYearFields, presentAssetYear } from './assetYear.js'
import { ContactJson, presentContact } from './directory.js'

const rollupFields = { cost365Cents: z.int(), downtimeHours365: z.number() }

/** Asset detail (spec §2), who looks after it for readers of the directory, rollup and year for staff only. */
export const AssetDetailJson = shape('AssetDetail', {
  ...AssetStatusJson.shape,
  description: z.string(),
  contact: ContactJson.nullable().optional(),
  incidents: z.array(AssetIncidentJson),
  ...z.object({ ...rollupFields, ...assetYearFields }).partial().shape,
})

export function presentAssetDetail(
  asset: AssetState,
  dates: readonly string[],
  {
    description,
    contact,
    incidents,
    rollup,
    year,
  }: {
    description: string
    /** Undefined for who may not read contacts. */
    contact: Contact | null | undefined
    incidents: ListedIncident[]
    rollup: RollupRows | null
    year: AssetYear | null
  },
  viewer: Viewer,
): z.output<typeof AssetDetailJson> {
  return {
    ...presentAsset(asset, dates),
    description,
    ...(contact === undefined ? {} : { contact: contact && presentContact(contact) }),
    incidents: incidents.map((incident) => presentAssetIncident(incident, viewer)),
    ...(viewer.staff && rollup ? presentRollup(rollup) : {}),
    ...(viewer.staff && year ? presentAssetYear(year) : {}),
  }
}

/** Costs in cents and downtime in hours, over 365 days, counted like uptime (decisions 3.3, 3.6). */
export function presentRollup({
  now,
  zone,
  costCents,
  downtime,
  windows,
}: RollupRows): z.output<z.ZodObject<typeof rollupFields>> {
  const from = now - (limits.rollupDays + 2) * 86_400_000
  const maintenance = windows.flatMap((window) => occurrences(window, zone, from, now))
  const hours = downtimeOver({ downtime, maintenance }, now, limits.rollupDays) / 3_600_000
  return { cost365Cents: costCents, downtimeHours365: Math.round(hours * 100) / 100 }
}
