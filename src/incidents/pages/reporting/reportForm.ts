import { Asset, Contact, Property, Unit } from '../../../building/building.js'
import type { Context } from '../../../platform/http/context.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { can } from '../../../platform/http/request/allow.js'
import { authorTag } from '../../../platform/http/session/csrf.js'
import { presentState } from '../../../status/present/statusPage.js'
import { currentState } from '../../../status/stateCache.js'
import { knownIncidents } from '../../model/knownIncidents.js'
import { findListedIncident } from '../../model/listedIncidents.js'
import { unitFor } from '../../model/redaction.js'
import { triageIsOn } from '../../model/triageIsOn.js'
import { placeIn } from './reportRequest.js'

/** Open incidents shown before the form; a link leads to the others. */
const mostKnown = 8

/** The report form, which names its fields in its own words. */
export const reportFormPage = {
  view: 'incidents/new',
  load: (ctx: Context) => reportPage(ctx),
  wording: { title_required: 'problem_required', place_exactly_one: 'place_required' },
}

/**
 * The report form's options, what is known of the chosen asset, and the photos of an earlier try.
 * `chosen`: the fields of that try, or of the address.
 */
export async function reportPage(
  ctx: Context,
  chosen: Record<string, unknown> = { ...ctx.query, ...enteredFields(ctx) },
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
 * The selected option of the list: the one sent, or else the one the other fields name; '' for
 * none.
 */
function placeOf({ place, assetId, unitId }: Record<string, unknown>): string {
  if (placeIn(place)) return String(place)
  if (assetId) return `asset-${assetId}`
  return unitId ? `unit-${unitId}` : ''
}

/**
 * The chosen asset's state and unresolved incidents: first the outage that the office works on,
 * which a new report is most likely about, then the newest. Null without a known asset.
 */
async function knownOf(ctx: Context, assetId: number | null) {
  if (assetId === null) return null
  const { assets } = await currentState()
  const asset = assets.find(({ id }) => id === assetId)
  if (!asset) return null
  const [incidents, contact] = await Promise.all([
    knownIncidents(assetId, ctx.state.user?.id ?? 0, mostKnown),
    Contact.ofAsset(assetId),
  ])
  // Whoever stands in front of it may be stuck in it.
  const visibleContact = contact?.phone && (contact.isPublic || can(ctx, 'contact.read')) ? contact : null
  return {
    asset: { ...presentState(asset), towerName: asset.towerName },
    contact: visibleContact,
    incidents: incidents.map((incident) => ({ ...incident, createdAt: incident.createdAt.toISOString() })),
  }
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
 * The fields of a report that something is broken again, with a reference to the earlier incident;
 * none when that does not exist.
 */
export async function reportAgain(ctx: Context, id: number): Promise<Record<string, unknown>> {
  const before = await findListedIncident(id)
  if (!before) return {}
  const { title, assetId } = before
  return {
    assetId,
    unitId: unitFor(ctx.state.viewer, before).unitId,
    title,
    description: ctx.state.text.guests.againText(id),
  }
}
