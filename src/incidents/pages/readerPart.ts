import { query } from '../../platform/db/database.js'
import type { Context } from '../../platform/http/context.js'
import { reasonNotRepaired } from '../../vocabulary/lifecycle.js'
import {
  anonymousName,
  erasedName,
  mobileReporterName,
  officeName,
} from '../../vocabulary/people/personName.js'
import type { ListedIncident } from '../model/entity.js'
import { acknowledgementDue, isReopened } from '../model/json/incidentJson.js'
import { authorFor } from '../model/redaction.js'
import { reportingOf } from '../model/timeline/anonymity.js'
import { lastVerdict, type Verdict } from '../model/timeline/lastVerdict.js'

/**
 * What the page of an incident says to this reader of their own part in it. Only their own session
 * reads that a report or an answer is theirs: to everyone else it may be anonymous (decision 2.9).
 */
export async function readerPart(ctx: Context, row: ListedIncident) {
  const { user } = ctx.state
  const acknowledgeBy = acknowledgementDue(row)
  const [reporting, verdict] = await Promise.all([
    user ? reportingOf(query, row.id, user.id) : 'none',
    statusIsVerdict(row) ? lastVerdict(row.id) : null,
  ])
  return {
    isMine: user !== null && row.reporterId === user.id,
    /** They have reported the incident, or a duplicate of it. */
    hasReported: reporting !== 'none',
    /** The name that other residents read with what they write here. */
    commentName: reporting === 'anonymous' ? anonymousName : (user?.name ?? ''),
    verdict: verdict && presentVerdict(ctx, verdict),
    acknowledgeBy,
    isReplyOverdue: acknowledgeBy !== null && (row.slaBreached || Date.parse(acknowledgeBy) <= Date.now()),
  }
}

/** Whether someone's answer to "Is it fixed?" made the status what it is. */
function statusIsVerdict(row: ListedIncident): boolean {
  if (isReopened(row)) return true
  return row.status === 'verified' && reasonNotRepaired(row.status, row.closingReason) === null
}

/** An answer whether it is fixed, with who gave it as far as this reader may know. */
function presentVerdict({ state: { user, viewer } }: Context, verdict: Verdict) {
  const { name, role } = authorFor(viewer, verdict)
  return {
    isFixed: verdict.isFixed,
    isMine: user !== null && verdict.authorId === user.id,
    by: role === null ? sideOf(name) : 'office',
    name,
    at: verdict.createdAt.toISOString(),
  } as const
}

/** Which side a name stands for where it names no one; `unknown` where it does not say that. */
function sideOf(name: string): 'office' | 'resident' | 'person' | 'unknown' {
  if (name === officeName) return 'office'
  if (name === anonymousName || name === mobileReporterName) return 'resident'
  return name === erasedName || name === 'System' ? 'unknown' : 'person'
}
