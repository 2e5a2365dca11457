/**
 * Seconds a gathering message waits after its latest part, and at most after its first. `calm`:
 * comments, and emails about merged duplicates (decision 7.2). `brisk`: everything else that
 * gathers, which is what one request did to many incidents, and pushes about merges.
 */
const paces = { calm: { after: 120, most: 300 }, brisk: { after: 5, most: 60 } } as const
type Pace = keyof typeof paces

/** SQL: when a gathering row is due, with what it holds at `now`. */
export const dueAt = (now: string, pace: Pace) => `${now} + interval '${paces[pace].after} seconds'`

/** SQL: how long a gathering row takes others in. */
export const gatheringLimit = (pace: Pace) => `interval '${paces[pace].most} seconds'`

/**
 * SQL: the end of an insert that lets a waiting row of the same key take the new one in, under
 * `more`, at most for `longest` after its first part. A row under attempt has left the index: the
 * insert waits for that claim and then makes a row of its own. No two new rows have one key.
 */
export const gatherIntoWaitingRow = (longest: string) => `
    on conflict (gather_key)
      where gather_key is not null and attempts = 0 and sent_at is null and failed_at is null
    do update set
      payload = outbox.payload || jsonb_build_object(
        'more',
        coalesce(outbox.payload -> 'more', '[]')
          || jsonb_build_array(
            (excluded.payload - 'more'::text) || jsonb_build_object('incidentId', excluded.incident_id)
          )
          || coalesce(excluded.payload -> 'more', '[]')
      ),
      next_attempt_at = least(
        greatest(outbox.next_attempt_at, excluded.next_attempt_at),
        outbox.created_at + ${longest}
      )`
