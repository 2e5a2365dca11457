import { type Change, change } from '../../platform/db/change.js'
import { addPoints } from '../../platform/http/protection/actCounters.js'
import { hashOf } from '../../platform/process/hashing.js'
import { type Consequence, consequencesOf } from '../../status/consequence.js'
import { assetsOf } from '../../status/impacts/readImpacts.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged, type Status } from '../../vocabulary/lifecycle.js'
import { bounds } from '../../vocabulary/limits.js'
import { type Actor, demand } from '../../vocabulary/people/actor.js'
import { networkOf, siteOf } from '../../vocabulary/people/network.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { DAY } from '../../vocabulary/time/calendar.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'
import { officeVersion } from '../model/officeVersion.js'
import { type PostedPhotos, withPhotos } from '../model/photos/photos.js'
import { type IncidentPatch, setsStaffFields } from './allowedPatch.js'
import { applyPatch } from './applyPatch.js'

/** When a patch counts, and what comes with it. */
type PatchOptions = {
  photos?: PostedPhotos
  /** Throws Conflict when the incident has none of these statuses by now. */
  onlyFrom?: readonly Status[]
  /** Throws Conflict when it is closed. */
  onlyOpen?: boolean
  /** The repair that was asked about. Throws Conflict when there was another one since. */
  resolvedAt?: Date | undefined
  /** What the office had said and set when the form was made (`officeVersion`). */
  version?: string | null | undefined
}

/**
 * Changes an incident: every page, endpoint, form and bulk action does it by this (decision 8.3).
 * Returns the id of the entry it wrote, if any. Throws NotFound, Forbidden, ValidationFailed, and
 * Conflict for a merged duplicate and when someone was quicker.
 */
export async function patchIncident(
  actor: Actor,
  incidentId: number,
  patch: IncidentPatch,
  options: PatchOptions = {},
): Promise<number | null> {
  const { photos, version } = options
  const patchIt = () =>
    change(actor, async (c) => {
      if (patch.newStatus) demand(actor, 'incident.setStatus')
      if (setsStaffFields(patch)) demand(actor, 'incident.edit')
      const incident = orNotFound(await Incident.locked(c.trx, incidentId))
      // A duplicate is refused as one before its status or a full timeline is a reason.
      refuseMerged(incident)
      const byStaff = isStaff(actor.role ?? 'guest')
      if (patch.body !== undefined && !patch.move && !byStaff)
        await requireRoom(c, incidentId, writerOf(actor), Buffer.byteLength(patch.body))
      requireUnchanged(incident, patch, options)
      if (byStaff && typeof version === 'string' && version !== (await officeVersion(incidentId, c.query)))
        throw new Conflict('answered_meanwhile')
      const { updateId, isChanged } = await applyPatch(c, incident, patch, { photos })
      if (updateId !== null) c.resultId(updateId)
      else if (!isChanged) c.noop()
      return updateId
    })
  return photos ? withPhotos(photos.stored, patchIt) : patchIt()
}

/**
 * What a correction would do to the assets concerned: it is made, read and rolled back, so that the
 * preview and the saving cannot disagree. `changesPast`: whether it changes what the incident did
 * to its assets. Throws as `patchIncident` does.
 */
export async function previewPatch(
  actor: Actor,
  incidentId: number,
  patch: IncidentPatch,
): Promise<{ changesPast: boolean; consequences: Consequence[] }> {
  return change(actor, async (c) => {
    c.noop()
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    const assetIds = await assetsOf(c.query, incidentId, [incident.assetId, patch.assetId])
    const { result, consequences } = await consequencesOf(c.query, assetIds, () =>
      applyPatch(c, incident, patch),
    )
    return { changesPast: result.changesPast, consequences }
  })
}

/** Throws Conflict when the incident is not as whoever changes it has seen it. */
function requireUnchanged(
  { status, resolvedAt }: Incident,
  { newStatus }: IncidentPatch,
  { onlyFrom, onlyOpen, resolvedAt: expected }: PatchOptions,
): void {
  if (onlyOpen && resolvedAt !== null) throw new Conflict('incident_closed')
  if (expected && expected.getTime() !== resolvedAt?.getTime()) throw new Conflict('incident_not_resolved')
  if (!onlyFrom || onlyFrom.includes(status)) return
  if (status === 'verified') throw new Conflict('incident_verified')
  throw new Conflict(newStatus === 'acknowledged' ? 'already_acknowledged' : 'changed_meanwhile')
}

/**
 * Counts an entry by someone who is not staff; `writer`: whose share it is of, such as `user:7`.
 * Throws Conflict when the share or the incident is full (decision 1.6).
 */
async function requireRoom(c: Change, incidentId: number, writer: string, bytes: number): Promise<void> {
  const [size] = await c.query<{ entries: number; bytes: number }>(
    `select count(*)::integer as entries, coalesce(sum(octet_length(body)), 0)::integer as bytes
     from incident_updates where incident_id = $1`,
    [incidentId],
  )
  if (size!.entries >= bounds.timelineEntries || size!.bytes >= bounds.timelineBytes)
    throw new Conflict('timeline_full')
  const share = `${incidentId}:${hashOf(writer).toString('base64url')}`
  const seconds = bounds.writerDays * (DAY / 1000)
  const entries = await addPoints(c, { name: 'timeline-entries', seconds }, share, 1)
  const text = await addPoints(c, { name: 'timeline-bytes', seconds }, share, bytes)
  if (entries.points > bounds.writerEntries || text.points > bounds.writerBytes)
    throw new Conflict('timeline_full')
}

/** Whose share an actor's comments are of: a person's, or one of the site for all its phones. */
function writerOf({ id, via, client = '' }: Actor): string {
  return via === 'mobile' ? `network:${siteOf(networkOf(client) ?? 'unknown')}` : `user:${id}`
}
