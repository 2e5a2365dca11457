import { type Change, change } from '../../platform/db/change.js'
import type { Changes } from '../../vocabulary/audit.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'
import { IncidentUpdate } from '../model/timeline/incidentUpdate.js'

type HiddenPhoto = { id: number; incidentId: number; hiddenAt: Date | null }

/**
 * What of an incident is hidden: one of its entries, one of its photos, or its own text, which is
 * its description alone or its title as well.
 */
export type HideTarget = { update: number } | { photo: number } | { text: 'description' | 'all' }

/**
 * Hides a part of an incident from everyone but staff, or shows it again (decision 7.14); a second
 * time is harmless. `notice`: the title that others read instead; null shows the part again. Also
 * of a merged duplicate, whose content its survivor shows. Throws NotFound.
 */
export async function hideContent(
  actor: Actor,
  incidentId: number,
  target: HideTarget,
  notice: string | null,
): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    const isChanged = await writeHidden(c, incident, target, notice)
    if (!isChanged) return c.noop()
    const action = notice === null ? 'incident.restored' : 'incident.hidden'
    c.audit(action, incidentId, auditedChange(target))
  })
}

/** Hides or shows the part. Returns whether that changed anything. */
function writeHidden(
  c: Change,
  incident: Incident,
  target: HideTarget,
  notice: string | null,
): Promise<boolean> {
  if ('photo' in target) return hidePhoto(c, incident.id, target.photo, notice !== null)
  if ('update' in target) return hideEntry(c, incident.id, target.update, notice !== null)
  return notice === null ? showText(c, incident) : hideText(c, incident, notice, target.text)
}

function auditedChange(target: HideTarget): Changes {
  if ('photo' in target) return { photo: { before: null, after: target.photo } }
  if ('update' in target) return { update: { before: null, after: target.update } }
  return { text: { before: null, after: true } }
}

/**
 * Hides the text of an incident. The row's own title and description are what everyone reads, so
 * that no query can show hidden words by mistake.
 */
async function hideText(
  c: Change,
  { id, title, description, hiddenTitle }: Incident,
  notice: string,
  what: 'description' | 'all',
): Promise<boolean> {
  const publicTitle = what === 'all' ? notice : title
  if (hiddenTitle === null) {
    const hidden = { hiddenTitle: title, hiddenDescription: description }
    await c
      .trx('incidents')
      .where({ id })
      .update({ title: publicTitle, description: '', ...hidden })
  } else {
    // The description is hidden already, perhaps without the title.
    if (publicTitle === title) return false
    await c.trx('incidents').where({ id }).update({ title: publicTitle })
  }
  await replaceTitleInQueue(c, id, publicTitle)
  return true
}

/** Shows the hidden title and description again. */
async function showText(c: Change, { id, hiddenTitle, hiddenDescription }: Incident): Promise<boolean> {
  if (hiddenTitle === null) return false
  await c.trx('incidents').where({ id }).update({
    title: hiddenTitle,
    description: hiddenDescription!,
    hiddenTitle: null,
    hiddenDescription: null,
  })
  await replaceTitleInQueue(c, id, hiddenTitle)
  return true
}

/** Webhooks that wait to be sent get the new title. */
async function replaceTitleInQueue(c: Change, incidentId: number, title: string): Promise<void> {
  await c.query(
    `update events set fact = jsonb_set(fact::jsonb, '{title}', to_jsonb($2::text))
     where incident_id = $1 and fact ->> 'title' is not null`,
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
