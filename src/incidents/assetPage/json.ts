import { z } from 'zod'
import type { Contact } from '../../building/building.js'
import { ContactJson, presentContact } from '../../building/contacts/json.js'
import { shape } from '../../platform/http/json.js'
import type { AssetState } from '../../status/json/assetState.js'
import { assetYearFields, presentAssetYear } from '../../status/json/assetYear.js'
import { AssetStatusJson, presentAsset } from '../../status/json/status.js'
import type { AssetYear } from '../../status/queries/assetYear.js'
import type { RollupRows } from '../../status/queries/rollup.js'
import { downtimeOver } from '../../status/rules/uptime.js'
import { limits } from '../../vocabulary/limits.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import type { ListedIncident } from '../incident.js'
import { AssetIncidentJson, presentAssetIncident } from '../json.js'

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
