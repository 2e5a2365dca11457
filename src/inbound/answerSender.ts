import { emailFollowerAt } from '../accounts/people/emailFollower.js'
import { followByEmail } from '../notifications/follow/followers.js'
import type { Change } from '../platform/db/change.js'
import { enqueueEmail, type Recipients } from '../platform/outbox/enqueueEmail.js'
import type { Locale } from '../text/index.js'
import { notTakenPayload } from './files/notTaken.js'
import type { EmailRecord, FileNotTaken, InboundText } from './message.js'

/**
 * Answers the sender of a new report, unless a machine or a list wrote it (decisions 2.10, 7.4).
 * `acknowledge`: one email tells its number and which files were not taken; never in answer to an
 * answer, or two machines go on for ever. A proven sender gets their words back as a receipt
 * (decision 9.13), any other nothing that they may not have written.
 */
export async function answerSender(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  { locale }: InboundText,
  { acknowledge, notTaken }: { acknowledge: boolean; notTaken: readonly FileNotTaken[] },
): Promise<void> {
  const { accountId, mayAnswer, answersOurs } = email
  const isProven = email.standing !== 'unproven'
  if (!mayAnswer) return
  let to: Recipients
  if (accountId !== null) to = { users: [accountId] }
  else {
    const { id, clicked } = await emailFollower(c, email, locale)
    if (clicked) await follow(c, id, incidentId)
    to = { follower: id }
  }
  if (acknowledge && !answersOurs)
    await enqueueEmail(c, isProven ? 'incident.receipt' : 'mail.received', to, {
      incidentId,
      payload: { as: 'created', isProven, ...notTakenPayload(notTaken) },
    })
}

/**
 * Answers who writes to an incident for the first time, without an account: one email says so, with
 * a button to follow. An address that has pressed a button of ours before follows at once. Who
 * wrote before and follows no more wanted no emails; forged emails do not count as theirs when they
 * are proven. Returns who it is.
 */
export async function answerWriter(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  { locale }: InboundText,
  notTaken: readonly FileNotTaken[],
): Promise<number | null> {
  const { accountId, sender, mayAnswer, answersOurs, standing } = email
  const isProven = standing !== 'unproven'
  if (accountId !== null || !mayAnswer || sender.address === null) return null
  const [before] = await c.query<{ wrote: boolean }>(
    `select exists (
         select from incident_updates
         where incident_id = $1 and author_email = $2 and (sender_proven or not $3)
       ) or exists (
         select from incidents
         where (id = $1 or merged_into_id = $1) and reporter_email = $2 and (sender_proven or not $3)
       ) as wrote`,
    [incidentId, sender.address, isProven],
  )
  const follower = await emailFollower(c, email, locale)
  if (before!.wrote) return follower.id
  if (follower.clicked) await follow(c, follower.id, incidentId)
  else if (!answersOurs)
    await enqueueEmail(
      c,
      'mail.received',
      { follower: follower.id },
      { incidentId, payload: { as: 'appended', isProven, ...notTakenPayload(notTaken) } },
    )
  return follower.id
}

const follow = (c: Change, emailFollowerId: number, incidentId: number) =>
  followByEmail(c, { emailFollowerId }, { incidentId, assetId: null, towerId: null })

/** The person at the sender's address. */
const emailFollower = (c: Change, { sender, locale }: EmailRecord, ours: Locale) =>
  emailFollowerAt(c, { address: sender.address!, locale: locale ?? ours, wrote: true })
