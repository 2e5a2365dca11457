/** Why a rule refuses a request: a 409 (decision 4.1), each with its text in the catalogue. */
export type Refusal =
  | 'incident_verified'
  | 'incident_merged'
  | 'incident_not_resolved'
  | 'already_acknowledged'
  | 'incident_closed'
  | 'answered_meanwhile'
  | 'timeline_full'
  | 'dismiss_has_duplicates'
  | 'incident_dismissed'
  | 'newer_word'
  | 'merge_into_itself'
  | 'merge_already_merged'
  | 'merge_cycle'
  | 'unmerge_not_merged'
  | 'unmerge_too_late'
  | 'undo_too_late'
  | 'undelete_blocked'
  | 'unmerge_survivor_merged'
  | 'changed_meanwhile'
  | 'edited_meanwhile'
  | 'deleted_meanwhile'
  | 'not_failed'
  | 'webhook_not_retried'
  | 'email_sorted'
  | 'email_nothing_new'
  | 'in_use'
  | 'occurrence_begun'
  | 'window_does_not_repeat'
  | 'window_not_begun'
  | 'last_admin'
  | 'mobile_reporter'
  | 'user_inactive'
  | 'user_has_history'
  | 'identity_taken'
  | 'identity_needed'
  | 'second_factor_is_on'
  | 'second_factor_is_off'
  | 'second_factor_demanded'
  | 'second_factor_elsewhere'
  | 'email_taken'
  | 'name_taken'

/** Thrown by a rule; carries what the caller needs, such as a merge's survivor (decision 6.7). */
export class Conflict extends Error {
  override readonly name = 'Conflict'

  constructor(
    readonly code: Refusal,
    readonly details: Record<string, unknown> = {},
  ) {
    super(code)
  }
}
