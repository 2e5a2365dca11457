import { z } from 'zod'
import { query } from '../../platform/db/database.js'
import { instantText, rowId, shape } from '../../platform/http/json.js'
import { publicAddress } from '../../platform/process/config.js'
import { AccountJson } from '../account/json.js'

/**
 * SQL of what the account `$1` reported, wrote and did, by its name in the file. The texts are in
 * it even while they are hidden from others.
 */
const selects = {
  incidents: `
    select id, coalesce(hidden_title, title) as title, coalesce(hidden_description, description) as description,
      is_anonymous, severity, status, created_at
    from incidents where reporter_id = $1 order by id`,
  comments: `
    select id, incident_id, coalesce(hidden_body, body) as body, new_status, created_at
    from incident_updates where author_id = $1 order by id`,
  emails: `
    select id, incident_id, subject, text, received_at
    from whole_email_authors where author_id = $1 order by id`,
  photos: `
    select p.incident_id, p.path, p.created_at
    from photos p left join incident_updates u on u.id = p.update_id join incidents i on i.id = p.incident_id
    where case when p.update_id is null then i.reporter_id else u.author_id end = $1 and p.hidden_at is null
    order by p.id`,
  notes: `
    select id, incident_id, body, created_at
    from internal_notes where author_id = $1 order by id`,
  followed: `
    select incident_id, created_at as since from followers where user_id = $1 order by incident_id`,
  phones: `
    select platform, created_at from devices
    where user_id = $1 and platform <> 'browser' order by id`,
  browsers: `
    select token as endpoint, user_agent, created_at from devices
    where user_id = $1 and platform = 'browser' order by id`,
  acts: `
    select id, at, action, entity, entity_id, via from audit_entries where actor_id = $1 order by id`,
}

const entryFields = { id: rowId, createdAt: instantText }
const incidentField = { incidentId: rowId }

/** Everything that is kept about a person (decision 7.31). Photos are read at their addresses. */
export const PersonDataJson = shape('PersonData', {
  account: AccountJson,
  incidents: z.array(
    z.strictObject({
      ...entryFields,
      title: z.string(),
      description: z.string(),
      isAnonymous: z.boolean(),
      severity: z.string(),
      status: z.string(),
    }),
  ),
  comments: z.array(
    z.strictObject({ ...entryFields, ...incidentField, body: z.string(), newStatus: z.string().nullable() }),
  ),
  emails: z.array(
    z.strictObject({
      id: rowId,
      incidentId: rowId,
      subject: z.string(),
      text: z.string(),
      receivedAt: instantText,
    }),
  ),
  photos: z.array(z.strictObject({ ...incidentField, address: z.string(), createdAt: instantText })),
  notes: z.array(z.strictObject({ ...entryFields, ...incidentField, body: z.string() })),
  followed: z.array(z.strictObject({ ...incidentField, since: instantText })),
  phones: z.array(z.strictObject({ platform: z.string(), createdAt: instantText })),
  browsers: z.array(z.strictObject({ endpoint: z.string(), userAgent: z.string(), createdAt: instantText })),
  acts: z.array(
    z.strictObject({
      id: rowId,
      at: instantText,
      action: z.string(),
      entity: z.string(),
      entityId: rowId.nullable(),
      via: z.string(),
    }),
  ),
})

export type PersonData = z.output<typeof PersonDataJson>

/** Reads everything but the account itself. The size of the answer follows what the person did. */
export async function readPersonData(userId: number): Promise<Omit<PersonData, 'account'>> {
  const lists = Object.entries(selects).map(async ([name, sql]) => {
    const rows = await query<Record<string, unknown>>(sql, [userId])
    return [name, rows.map(rowOfFile)] as const
  })
  return Object.fromEntries(await Promise.all(lists)) as never
}

/** A row as the file has it: instants as text, and the address of a photo instead of its path. */
function rowOfFile(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name === 'path') return ['address', `${publicAddress()}/api/photos/${value}`]
      return [name, value instanceof Date ? value.toISOString() : value]
    }),
  )
}
