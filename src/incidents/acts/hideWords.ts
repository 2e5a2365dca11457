import { type Change, change } from '../../platform/db/change.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'

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
  { id, title, hiddenTitle }: Incident,
  notice: string | null,
  onlyDescription: boolean,
): Promise<boolean> {
  if ((hiddenTitle !== null) === (notice !== null)) return false
  const [row] = await c.query<{ title: string }>(
    notice === null
      ? `update incidents set title = hidden_title, description = hidden_description, hidden_title = null,
           hidden_description = null where id = $1 returning title`
      : `update incidents set hidden_title = title, hidden_description = description, title = $2, description = ''
         where id = $1 returning title`,
    notice === null ? [id] : [id, onlyDescription ? title : notice],
  )
  await renameWaiting(c, id, row!.title)
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
  const [entry] = await c.query<{ isHidden: boolean; says: boolean }>(
    `select hidden_body is not null as "isHidden", body <> '' or status_reason is not null as says
     from incident_updates where id = $1 and incident_id = $2`,
    [updateId, incidentId],
  )
  const { isHidden, says } = orNotFound(entry)
  if (isHidden === hide || (hide && !says)) return false
  await c.query(
    hide
      ? `update incident_updates set hidden_body = body, hidden_reason = status_reason, body = '', status_reason = null
         where id = $1`
      : `update incident_updates set body = hidden_body, status_reason = hidden_reason, hidden_body = null,
           hidden_reason = null where id = $1`,
    [updateId],
  )
  return true
}

async function hidePhoto(c: Change, incidentId: number, photoId: number, hide: boolean): Promise<boolean> {
  const [photo] = await c.query<{ isHidden: boolean }>(
    'select hidden_at is not null as "isHidden" from photos where id = $1 and incident_id = $2',
    [photoId, incidentId],
  )
  if (orNotFound(photo).isHidden === hide) return false
  await c.query('update photos set hidden_at = $2 where id = $1', [photoId, hide ? c.now : null])
  return true
}
