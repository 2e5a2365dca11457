import { query } from '../../../src/platform/db/database.js'
import { changesBetween } from '../../../src/vocabulary/audit.js'
import { scalar } from '../rows.js'
import { accountOf, auditEntry, insertRow, momentAfter, type Person } from './rows.js'

/** A photo whose files are in the photo store. */
export type StoredPhoto = { path: string; width: number; height: number; bytes: number }

/** Attaches photos to an incident, or to an entry of its timeline. */
export async function insertPhotos(
  incidentId: number,
  updateId: number | null,
  at: Date,
  photos: readonly StoredPhoto[],
): Promise<void> {
  for (const photo of photos)
    await insertRow('photos', {
      incident_id: incidentId,
      update_id: updateId,
      ...photo,
      created_at: at,
    })
}

/** Someone chooses to follow an incident, so they count as affected. */
export async function aFollower(incidentId: number, who: Person): Promise<void> {
  const [follower, at] = [await accountOf(who), await momentAfter()]
  await query('delete from unfollows where incident_id = $1 and user_id = $2', [incidentId, follower.id])
  await query(
    `insert into followers (incident_id, user_id, created_at, by_choice) values ($1, $2, $3, true)
     on conflict (incident_id, user_id) do update set by_choice = true`,
    [incidentId, follower.id, at],
  )
  await auditEntry({ by: follower, action: 'incident.followed', entityId: incidentId, at })
}

/** A note of the manager, for staff only. Returns its id. */
export async function aNote(incidentId: number, body = 'The part is on its way'): Promise<number> {
  const [author, at] = [await accountOf('manager'), await momentAfter()]
  const { id } = await insertRow('internal_notes', {
    incident_id: incidentId,
    author_id: author.id,
    body,
    created_at: at,
  })
  await auditEntry({
    by: author,
    action: 'incident.noted',
    entityId: incidentId,
    at,
    changes: { note: { before: null, after: id } },
  })
  return id
}

export type Cost = { amountCents: number; vendor: string; invoiceRef: string; note: string }

/** A cost the manager entered today. Returns its id. */
export async function aCost(incidentId: number, given: Partial<Cost> = {}): Promise<number> {
  const [author, at] = [await accountOf('manager'), await momentAfter()]
  const cost = { amountCents: 12_345, vendor: '', invoiceRef: '', note: '', ...given }
  const { id, incurredOn } = await insertCost(incidentId, author.id, at, cost)
  const changes = changesBetween(null, { costId: id, ...cost, incurredOn })
  await auditEntry({ by: author, action: 'incident.cost_added', entityId: incidentId, at, changes })
  return id
}

/** Inserts a cost of the local day of `at`. */
export async function insertCost(
  incidentId: number,
  authorId: number,
  at: Date,
  { amountCents, vendor, invoiceRef, note }: Cost,
): Promise<{ id: number; incurredOn: string }> {
  const day = await scalar<string>(
    'select ($1::timestamptz at time zone timezone)::date::text as day from properties',
    [at],
  )
  const { id } = await insertRow('repair_costs', {
    incident_id: incidentId,
    amount_cents: amountCents,
    vendor,
    invoice_ref: invoiceRef,
    note,
    incurred_on: day,
    created_by: authorId,
    created_at: at,
  })
  return { id, incurredOn: day }
}
