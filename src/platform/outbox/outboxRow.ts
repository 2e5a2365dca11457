/** SQL expressions of an outbox row; `dueAt`: when it is first sent, at once by default. */
type QueuedRow = {
  kind?: 'mail' | 'push'
  event: string
  userId?: string
  emailFollowerId?: string
  contactId?: string
  incidentId?: string
  payload?: string
  createdAt: string
  dueAt?: string
  /**
   * Rows that wait under the same key can be merged with the new one by an `on conflict
   * (gather_key)` that the caller appends.
   */
  gatherKey?: string
  onceKey?: string
  /** By default the request of the transaction. */
  requestId?: string
}

/**
 * SQL: queues a message for each row of `source`, an SQL text that begins with its own `from` or
 * `where`. Every row of the outbox, email or push, is written by it.
 */
export function enqueueSql(
  { kind = 'mail', createdAt, dueAt = createdAt, ...row }: QueuedRow,
  source: string,
) {
  const columns = {
    kind: `'${kind}'`,
    event: row.event,
    recipient_id: row.userId,
    email_follower_id: row.emailFollowerId,
    contact_id: row.contactId,
    incident_id: row.incidentId,
    payload: row.payload,
    created_at: createdAt,
    next_attempt_at: dueAt,
    gather_key: row.gatherKey,
    once_key: row.onceKey,
    request_id: row.requestId,
  }
  const present = Object.entries(columns).filter(([, sql]) => sql !== undefined)
  return `
    insert into outbox (${present.map(([name]) => name).join(', ')})
    select ${present.map(([, sql]) => sql).join(', ')}
    ${source}`
}
