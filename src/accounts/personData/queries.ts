import { query } from '../../platform/db/database.js'

/** What somebody reported, wrote and did, as rows of the tables; texts also while they are hidden from others. */
export type PersonData = {
  incidents: (Written & {
    title: string
    description: string
    isAnonymous: boolean
    severity: string
    status: string
  })[]
  comments: (Written & { incidentId: number; body: string; newStatus: string | null })[]
  photos: { incidentId: number; path: string; createdAt: Date }[]
  notes: (Written & { incidentId: number; body: string })[]
  followed: { incidentId: number; since: Date }[]
  phones: { platform: string; createdAt: Date }[]
  /** Browsers that get push messages, at the address their push service gave them. */
  browsers: { endpoint: string; userAgent: string; createdAt: Date }[]
  acts: { id: number; at: Date; action: string; entity: string; entityId: number | null; via: string }[]
}
type Written = { id: number; createdAt: Date }

const selects: Record<keyof PersonData, string> = {
  incidents: `
    select id, coalesce(hidden_title, title) as title, coalesce(hidden_description, description) as description,
      is_anonymous as "isAnonymous", severity, status, created_at as "createdAt"
    from incidents where reporter_id = $1 order by id`,
  comments: `
    select id, incident_id as "incidentId", coalesce(hidden_body, body) as body, new_status as "newStatus",
      created_at as "createdAt"
    from incident_updates where author_id = $1 order by id`,
  photos: `
    select p.incident_id as "incidentId", p.path, p.created_at as "createdAt"
    from photos p left join incident_updates u on u.id = p.update_id join incidents i on i.id = p.incident_id
    where case when p.update_id is null then i.reporter_id else u.author_id end = $1 and p.hidden_at is null
    order by p.id`,
  notes: `
    select id, incident_id as "incidentId", body, created_at as "createdAt"
    from internal_notes where author_id = $1 order by id`,
  followed: `
    select incident_id as "incidentId", created_at as since from followers where user_id = $1 order by incident_id`,
  phones: `
    select platform, created_at as "createdAt" from devices
    where user_id = $1 and platform <> 'browser' order by id`,
  browsers: `
    select token as endpoint, user_agent as "userAgent", created_at as "createdAt" from devices
    where user_id = $1 and platform = 'browser' order by id`,
  acts: `
    select id, at, action, entity, entity_id as "entityId", via from audit_entries where actor_id = $1 order by id`,
}

/** All of it; its size follows what this person did. */
export async function personData(userId: number): Promise<PersonData> {
  const read = Object.entries(selects).map(async ([name, sql]) => [name, await query(sql, [userId])] as const)
  return Object.fromEntries(await Promise.all(read)) as PersonData
}
