import { Asset, Property, Unit } from '../../building/building.js'
import type { Context } from '../../platform/http/context.js'
import { can } from '../../platform/http/request/allow.js'
import { typedIn } from '../../platform/http/request/input.js'
import { authorTag } from '../../platform/http/session/csrf.js'
import { triageIsOn } from '../../platform/ops/flags.js'
import type { AssetState } from '../../status/json/assetState.js'
import { presentAssetRow } from '../../status/json/statusPage.js'
import { currentState } from '../../status/statusFastPath.js'
import { parseId } from '../../vocabulary/limits.js'
import { type KnownIncident, knownIncidents } from '../affected.js'
import { Incident } from '../incident.js'
import { unitFor } from '../redaction.js'
import { placeIn } from './reportIncident.js'

/** An asset with its open incidents, for a reporter about to report on it. */
function presentKnown(asset: AssetState, incidents: readonly KnownIncident[]) {
  return {
    asset: { ...presentAssetRow(asset), towerName: asset.towerName },
    incidents: incidents.map(({ id, title, severity, status, createdAt, affected, following }) => ({
      id,
      title,
      severity,
      status,
      createdAt: createdAt.toISOString(),
      affected,
      following,
    })),
  }
}

/** Open incidents shown before the form; a link leads to the others. */
const mostKnown = 8

/**
 * The report form's options, what is known of the chosen asset, and the photos of an earlier try.
 * `chosen`: the fields of that try, or of the address.
 */
export async function reportPage(
  ctx: Context,
  chosen: Record<string, unknown> = { ...ctx.query, ...typedIn(ctx) },
): Promise<Record<string, unknown>> {
  const place = placeOf(chosen)
  const [assets, units, { unitVisibility }, suggests, known] = await Promise.all([
    Asset.inUse(),
    Unit.all(),
    Property.current(),
    can(ctx, 'triage.ask') && triageIsOn(),
    knownOf(ctx, placeIn(place)?.assetId ?? null),
  ])
  const own = units.find(({ id }) => id === ctx.state.user?.unitId)
  return {
    own,
    place,
    assetGroups: grouped(assets),
    unitGroups: grouped(units.filter(({ id }) => id !== own?.id)),
    staged: ctx.state.staged ?? [],
    unitVisibility,
    suggests,
    known,
    writer: ctx.state.user ? authorTag(ctx.state.user.id) : '',
  }
}

/**
 * The option of the list that is selected: as it was sent, or else what the other fields name; ''
 * for none.
 */
function placeOf({ place, assetId, unitId }: Record<string, unknown>): string {
  if (placeIn(place)) return String(place)
  if (assetId && place !== 'unit') return `asset-${assetId}`
  const flat = parseId(String(place)) ?? unitId
  return flat ? `unit-${flat}` : ''
}

/** The chosen asset's state and open incidents; null without a known asset. */
async function knownOf(ctx: Context, id: number | null) {
  if (id === null) return null
  const { assets } = await currentState()
  const asset = assets.find((each) => each.id === id)
  return asset ? presentKnown(asset, await knownIncidents(id, ctx.state.user?.id ?? 0, mostKnown)) : null
}

/** Options under the name of their tower, in display order. */
function grouped<T extends { towerName?: string }>(rows: T[]): { tower: string; options: T[] }[] {
  const groups: { tower: string; options: T[] }[] = []
  for (const row of rows) {
    const tower = row.towerName ?? ''
    const group = groups.at(-1)
    if (group?.tower === tower) group.options.push(row)
    else groups.push({ tower, options: [row] })
  }
  return groups
}

/**
 * The fields of a report that something is broken again, with a reference; none when there is no
 * such incident.
 */
export async function reportAgain(ctx: Context, id: number): Promise<Record<string, unknown>> {
  const before = await Incident.find(id)
  if (!before) return {}
  const { title, assetId } = before
  return {
    assetId,
    unitId: unitFor(ctx.state.viewer, before).unitId,
    title,
    description: ctx.state.text.guests.againText(id),
  }
}
