import { emailFollowerAt } from '../../accounts/users/emailFollower.js'
import { followByEmail } from '../../notifications/follow/followers.js'
import type { Change } from '../../platform/db/change.js'
import { enqueueEmail, type Recipients } from '../../platform/outbox/enqueueEmail.js'
import type { Locale } from '../../text/index.js'
import { notTakenPayload } from '../files/notTaken.js'
import type { EmailRecord, FileNotTaken, InboundText } from '../message.js'
import { isProven } from '../senderStanding.js'

/**
 * Answers the sender of a new report, unless a machine or a list wrote it (decisions 2.10, 7.4).
 * `acknowledges`: one email tells its number and which files were not taken; never in answer to an
 * answer, or two machines go on for ever. A proven sender gets their words back as a receipt
 * (decision 9.13), any other nothing that they may not have written.
 */
export async function answerReporter(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  { locale }: InboundText,
  { acknowledges, notTaken }: { acknowledges: boolean; notTaken: readonly FileNotTaken[] },
): Promise<void> {
  const { accountId, mayAnswer, answersOurs, standing } = email
  if (!mayAnswer) return
  let to: Recipients
  if (accountId !== null) to = { users: [accountId] }
  else {
    const { id, hasClicked } = await emailFollower(c, email, locale)
    if (hasClicked) await follow(c, id, incidentId)
    to = { emailFollower: id }
  }
  if (!acknowledges || answersOurs) return
  await enqueueEmail(c, isProven(standing) ? 'incident.receipt' : 'mail.received', to, {
    incidentId,
    payload: { as: 'created', isProven: isProven(standing), ...notTakenPayload(notTaken) },
  })
}

/**
 * Answers the sender of a comment who has no account, the first time they write to this incident:
 * one email with a button to follow, or they follow at once if they have pressed a button of ours
 * before. Someone who wrote earlier is not answered again: if they do not follow, they chose not
 * to. For a proven sender only earlier proven emails count. Returns the id of the email follower;
 * null for an account, and for a sender who may not be answered.
 */
export async function answerCommenter(
  c: Change,
  incidentId: number,
  email: EmailRecord,
  { locale }: InboundText,
  notTaken: readonly FileNotTaken[],
): Promise<number | null> {
  const { accountId, sender, mayAnswer, answersOurs, standing } = email
  if (accountId !== null || !mayAnswer || sender.address === null) return null
  const [before] = await c.query<{ wrote: boolean }>(
    `select exists (
         select from incident_updates
         where incident_id = $1 and author_email = $2 and (sender_proven or not $3)
       ) or exists (
         select from incidents
         where (id = $1 or merged_into_id = $1) and reporter_email = $2 and (sender_proven or not $3)
       ) as wrote`,
    [incidentId, sender.address, isProven(standing)],
  )
  const { id, hasClicked } = await emailFollower(c, email, locale)
  if (before!.wrote) return id
  if (hasClicked) await follow(c, id, incidentId)
  else if (!answersOurs)
    await enqueueEmail(
      c,
      'mail.received',
      { emailFollower: id },
      {
        incidentId,
        payload: { as: 'appended', isProven: isProven(standing), ...notTakenPayload(notTaken) },
      },
    )
  return id
}

const follow = (c: Change, emailFollowerId: number, incidentId: number) =>
  followByEmail(c, { emailFollowerId }, { incidentId, assetId: null, towerId: null })

/** The person at the sender's address. */
const emailFollower = (c: Change, { sender, locale }: EmailRecord, fallbackLocale: Locale) =>
  emailFollowerAt(c, { address: sender.address!, locale: locale ?? fallbackLocale, wrote: true })
