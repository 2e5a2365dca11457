import { type Change, change } from '../../platform/db/change.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'
import { IncidentUpdate } from '../model/timeline/incidentUpdate.js'

type HiddenPhoto = { id: number; incidentId: number; hiddenAt: Date | null }

/**
 * What of an incident is hidden: one of its entries, one of its photos, its description or, without
 * all, its title too.
 */
type Hideable = {
  updateId?: number | null | undefined
  photoId?: number | null | undefined
  onlyDescription?: boolean | undefined
}

/**
 * Hides it from everyone but staff, or shows it again (decision 7.14); a second time is harmless.
 * `notice`: the title that others read. Also of a merged duplicate, whose words its survivor shows.
 * Throws NotFound.
 */
export async function hideWords(
  actor: Actor,
  incidentId: number,
  what: Hideable,
  notice: string | null,
): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    const { photoId, updateId, onlyDescription = false } = what
    const changed = photoId
      ? await hidePhoto(c, incidentId, photoId, notice !== null)
      : updateId
        ? await hideEntry(c, incidentId, updateId, notice !== null)
        : await hideText(c, incident, notice, onlyDescription)
    if (!changed) return c.noop()
    const named = photoId ? { photo: photoId } : updateId ? { update: updateId } : { text: true }
    const [[name, of]] = Object.entries(named) as [[string, number | boolean]]
    const action = notice === null ? 'incident.restored' : 'incident.hidden'
    c.audit(action, incidentId, { [name]: { before: null, after: of } })
  })
}

/**
 * The row's own title and description are what everyone reads, so that no query can show hidden
 * words by mistake.
 */
async function hideText(
  c: Change,
  { id, title, description, hiddenTitle, hiddenDescription }: Incident,
  notice: string | null,
  onlyDescription: boolean,
): Promise<boolean> {
  if (hiddenTitle !== null && notice !== null) {
    // Only the description was hidden, so that others still read the title.
    if (onlyDescription || title === notice) return false
    await c.trx('incidents').where({ id }).update({ title: notice })
    await renameWaiting(c, id, notice)
    return true
  }
  if (hiddenTitle === null && notice === null) return false
  const shown =
    notice === null
      ? { title: hiddenTitle!, description: hiddenDescription!, hiddenTitle: null, hiddenDescription: null }
      : {
          title: onlyDescription ? title : notice,
          description: '',
          hiddenTitle: title,
          hiddenDescription: description,
        }
  await c.trx('incidents').where({ id }).update(shown)
  await renameWaiting(c, id, shown.title)
  return true
}

/** What webhooks have not been told yet, they are told without the words. */
async function renameWaiting(c: Change, incidentId: number, title: string): Promise<void> {
  await c.query(
    `update events set fact = jsonb_set(fact::jsonb, '{title}', to_jsonb($2::text)) where incident_id = $1 and fact ->> 'title' is not null`,
    [incidentId, title],
  )
  await c.query(
    `update webhook_deliveries set body = jsonb_set(body::jsonb, '{incident,title}', to_jsonb($2::text))::text
     where claimed_at is null and body::jsonb -> 'incident' -> 'id' = to_jsonb($1::integer)`,
    [incidentId, title],
  )
}

async function hideEntry(c: Change, incidentId: number, updateId: number, hide: boolean): Promise<boolean> {
  const entry = orNotFound(await IncidentUpdate.query(c.trx).findOne({ id: updateId, incidentId }))
  const isHidden = entry.hiddenBody !== null
  const says = entry.body !== '' || entry.statusReason !== null
  if (isHidden === hide || (hide && !says)) return false
  await entry
    .$query(c.trx)
    .patch(
      hide
        ? { hiddenBody: entry.body, hiddenReason: entry.statusReason, body: '', statusReason: null }
        : { body: entry.hiddenBody!, statusReason: entry.hiddenReason, hiddenBody: null, hiddenReason: null },
    )
  return true
}

async function hidePhoto(c: Change, incidentId: number, photoId: number, hide: boolean): Promise<boolean> {
  const photo = await c.trx<HiddenPhoto>('photos').where({ id: photoId, incidentId }).first('hiddenAt')
  if ((orNotFound(photo).hiddenAt !== null) === hide) return false
  await c
    .trx('photos')
    .where({ id: photoId })
    .update({ hiddenAt: hide ? c.now : null })
  return true
}
