import { enqueueSql } from '../../platform/outbox/enqueueEmail.js'

/**
 * Seconds a gathering message waits after its latest part, and at most after its first. `calm`:
 * comments and merged duplicates (decision 7.2). `brisk`: one request that acts on many incidents,
 * and merges as a phone tells them.
 */
const paces = { calm: { after: 120, most: 300 }, brisk: { after: 5, most: 60 } } as const

/** What else is said under the key, an SQL expression, becomes one message. */
export type Gather = { key: string; pace: keyof typeof paces }

/** SQL: when a gathering row is due, with what it holds at `now`. */
export const dueAt = (now: string, pace: Gather['pace']) => `${now} + interval '${paces[pace].after} seconds'`

/** SQL expressions of an outbox row. */
type OutboxRow = {
  kind: 'mail' | 'push'
  event: string
  incidentId: string
  payload: string
  now: string
  gather?: Gather
}

/**
 * SQL: inserts one outbox row for each user `u` of `from`. A gathering row takes in further ones
 * under `more` until its first attempt; a part that comes later starts the next message. `from`
 * yields each key once.
 */
export function outboxRows(row: OutboxRow, from: string): string {
  const { kind, event, incidentId, payload, now, gather } = row
  const queued = { kind, event: `'${event}'`, userId: 'u.id', incidentId, payload, createdAt: now }
  if (!gather) return enqueueSql(queued, from)
  const { key: gatherKey, pace } = gather
  return `${enqueueSql({ ...queued, dueAt: dueAt(now, pace), gatherKey }, from)} ${takingIn(pace)}`
}

/**
 * SQL: the end of an insert that lets a waiting row of the same key take the new one in. A row
 * under attempt has left the index: the insert waits for that claim and then makes a row of its
 * own.
 */
export const takingIn = (pace: Gather['pace']) => `
    on conflict (gather_key) where gather_key is not null and attempts = 0 and sent_at is null and failed_at is null
    do update set
      payload = outbox.payload || jsonb_build_object('more', coalesce(outbox.payload -> 'more', '[]')
        || jsonb_build_array((excluded.payload - 'more'::text) || jsonb_build_object('incidentId', excluded.incident_id))
        || coalesce(excluded.payload -> 'more', '[]')),
      next_attempt_at = least(greatest(outbox.next_attempt_at, excluded.next_attempt_at),
        outbox.created_at + interval '${paces[pace].most} seconds')`

/**
 * SQL: inserts one outbox row for each `receiver` (an SQL expression beside user `u`), about all
 * incidents of the statement: the first, and the others under `more`.
 */
export function rowsAboutMany(row: OutboxRow, from: string, receiver: string): string {
  const { kind, event, incidentId, payload, now } = row
  return enqueueSql(
    {
      kind,
      event: `'${event}'`,
      userId: 't.user_id',
      incidentId: `(t.parts[1] ->> 'incidentId')::integer`,
      payload: ofParts('t.parts'),
      createdAt: 't.at',
    },
    `from (
      select u.id as user_id, min(${now}) as at,
        array_agg(${payload} || jsonb_build_object('incidentId', ${incidentId}) order by ${incidentId}) as parts
      ${from}
      group by u.id, ${receiver}
    ) t`,
  )
}

/**
 * SQL: the payload of one message of these parts, an array of payloads that each name their
 * incident.
 */
export const ofParts = (parts: string) =>
  `(${parts}[1] || case when cardinality(${parts}) = 1 then '{}' else jsonb_build_object('more', to_jsonb(${parts}[2:])) end)`
