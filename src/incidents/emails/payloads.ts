import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import type { Severity } from '../../vocabulary/severity.js'
import type { ListedIncident } from '../model/entity.js'

/** What a message about a new status carries. `to`: without one, the status that the report has. */
export function statusPayload({ payload }: OutboxMessage, row: Pick<ListedIncident, 'status'>) {
  return {
    to: (payload.to ?? row.status) as Status,
    isVerification: payload.verification === true,
    isDismissal: payload.dismissed === true,
  }
}

/** The severities before and after a missed target; the same where it could not rise. */
export function severityPayload({ payload }: OutboxMessage): { from: Severity; to: Severity } {
  return { from: payload.from as Severity, to: payload.to as Severity }
}
