import type { Change } from '../../change.js'
import { followByMail, leaveMailTo, mailFollowerAt } from './mailFollowers.js'

/** The kind of mail that tells a sender that the mail has come in. */
const received = 'mail.received'

/** Who wrote a mail, and whether they may be written to; `locale`: in which language. */
type Letter = {
  sender: { address: string | null }
  user: { id: number } | null
  mayAnswer: boolean
  answersOurs: boolean
  locale: string
}

/**
 * The sender of a new report follows it by mail, unless a machine or a list wrote it (decisions 2.10, 7.4).
 * `acknowledge`: one mail tells its number; never in answer to an answer, or two machines go on for ever.
 */
export async function answerSender(
  c: Change,
  incidentId: number,
  { user, sender, mayAnswer, answersOurs, locale }: Letter,
  acknowledge: boolean,
): Promise<void> {
  if (!mayAnswer) return
  const told = acknowledge && !answersOurs
  if (user) return told ? leaveMailToUser(c, user.id, incidentId) : undefined
  const mailFollowerId = await mailFollowerAt(c, {
    address: sender.address!,
    locale,
    wrote: true,
  })
  await followByMail(c, { mailFollowerId }, { incidentId, assetId: null, towerId: null })
  if (told) await leaveMailTo(c, mailFollowerId, received, { incidentId })
}

async function leaveMailToUser(c: Change, userId: number, incidentId: number): Promise<void> {
  await c.query(
    `insert into outbox (kind, event, recipient_id, incident_id, created_at, next_attempt_at)
     values ('mail', $1, $2, $3, $4, $4)`,
    [received, userId, incidentId, c.now],
  )
}

/**
 * Who writes to an incident for the first time, without an account, follows it from then on: no page tells them
 * of the answer. Who wrote before and follows no more wanted no mails. Returns who it is.
 */
export async function followAsWriter(
  c: Change,
  incidentId: number,
  { user, sender, mayAnswer, locale }: Letter,
): Promise<number | null> {
  if (user || !mayAnswer || sender.address === null) return null
  const [before] = await c.query<{ wrote: boolean }>(
    `select exists (select from incident_updates where incident_id = $1 and author_email = $2)
       or exists (select from incidents where (id = $1 or merged_into_id = $1) and reporter_email = $2) as wrote`,
    [incidentId, sender.address],
  )
  const mailFollowerId = await mailFollowerAt(c, {
    address: sender.address,
    locale,
    wrote: true,
  })
  if (!before!.wrote) await followByMail(c, { mailFollowerId }, { incidentId, assetId: null, towerId: null })
  return mailFollowerId
}
