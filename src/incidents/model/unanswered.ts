import type { Change } from '../../platform/db/change.js'

/** Something on the incident waits for an answer by the office. */
export async function markUnanswered(c: Change, incidentId: number): Promise<void> {
  await c.query('update incidents set unanswered_since = coalesce(unanswered_since, $2) where id = $1', [
    incidentId,
    c.now,
  ])
}

/**
 * The office has reacted, or the repair is confirmed: the incident leaves the desk's lists of what
 * came back and of unanswered words.
 */
export async function markAnswered(c: Change, incidentId: number): Promise<void> {
  await c
    .trx('incidents')
    .where({ id: incidentId })
    .where((incident) => incident.whereNotNull('reopenedAt').orWhereNotNull('unansweredSince'))
    .update({ reopenedAt: null, unansweredSince: null })
}
