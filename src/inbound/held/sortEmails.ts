import { inSequence } from '../../incidents/acts/bulkActs.js'
import type { BulkResult } from '../../incidents/model/json/bulkResultJson.js'
import { lockSurvivor } from '../../incidents/model/lockSurvivor.js'
import type { StoredPhoto } from '../../incidents/model/photos/photos.js'
import { type Change, change } from '../../platform/db/change.js'
import { Conflict } from '../../vocabulary/conflict.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { appendEmail } from '../acts/appendEmail.js'
import { openByEmail } from '../acts/openByEmail.js'
import { type KeptNotTaken, notTakenIn } from '../files/notTaken.js'
import type { EmailRecord, InboundText } from '../message.js'
import { taggedIncident } from '../parse/subject.js'
import { accountAt } from '../senderAccount.js'

/** New incidents per request that staff are emailed about; the others are on the same list. */
const mostNotified = 5

/**
 * Takes each email in as if it had just arrived: opens an incident, or appends to the one its
 * subject names. This also restores a discarded email. One that says nothing new to its incident
 * stays where it is.
 */
export async function acceptEmails(
  actor: Actor,
  ids: readonly number[],
  t: InboundText,
): Promise<BulkResult & { incidentIds: number[] }> {
  const incidentIds: number[] = []
  let opened = 0
  const result = await inSequence(ids, async (id) => {
    const { incidentId, isNew } = await acceptEmail(actor, id, t, opened >= mostNotified)
    incidentIds.push(incidentId)
    if (isNew) opened += 1
  })
  return { ...result, incidentIds }
}

/**
 * The incident that an email became, or was appended to. `isQuiet`: no one is emailed of a new one.
 */
async function acceptEmail(
  actor: Actor,
  id: number,
  t: InboundText,
  isQuiet: boolean,
): Promise<{ incidentId: number; isNew: boolean }> {
  return change(actor, async (c) => {
    const { email, skipped } = await lockHeldEmail(c, id)
    const stored: StoredPhoto[] = await c
      .trx('held_email_photos')
      .where({ heldEmailId: id })
      .delete()
      .returning(['path', 'width', 'height', 'bytes'])
    const photos = { stored, notTaken: notTakenIn(skipped) }
    const answeredId = taggedIncident(email.title)
    const survivor = answeredId === null ? null : await lockSurvivor(c, answeredId)
    if (survivor !== null && email.newWords === '' && stored.length === 0)
      throw new Conflict('email_nothing_new')
    if (survivor !== null) await appendEmail(c, survivor, email, photos, t)
    const incidentId = survivor ?? (await openByEmail(c, email, photos, t, { isQuiet, acknowledges: true }))
    await c.trx('held_emails').where({ id }).update({ incidentId, sortedAt: c.now })
    c.audit('mail.accepted', id, { incidentId: { before: null, after: incidentId } })
    return { incidentId, isNew: survivor === null }
  })
}

type HeldEmail = Omit<EmailRecord, 'accountId' | 'whole' | 'mark'> & {
  skipped: KeptNotTaken
  acceptedAs: number | null
  subject: string
  text: string
  receivedAt: Date
}

/** The email as it came, for it to be taken in now. Throws Conflict when it was already. */
async function lockHeldEmail(c: Change, id: number): Promise<{ email: EmailRecord; skipped: KeptNotTaken }> {
  const [row] = await c.query<HeldEmail>(
    `select
       json_build_object('name', sender_name, 'address', sender_address) as sender,
       title, description as new_words, skipped, answers_ours, may_answer, locale,
       incident_id as accepted_as,
       coalesce(whole_subject, title) as subject,
       coalesce(whole_text, description) as text,
       received_at,
       case when user_id is not null then (
         select json_build_object('id', u.id, 'role', u.role) from users u where u.id = user_id
       ) end as user,
       held_standing(sender_standing, user_id) as standing
     from held_emails where id = $1 for update`,
    [id],
  )
  const held = orNotFound(row)
  if (held.acceptedAs !== null) throw new Conflict('email_sorted')
  const account = await accountAt(held.sender.address, c.trx)
  const email: EmailRecord = {
    sender: held.sender,
    user: held.user,
    accountId: account?.id ?? null,
    standing: held.standing,
    mayAnswer: held.mayAnswer,
    locale: held.locale,
    answersOurs: held.answersOurs,
    mark: null,
    title: held.title,
    newWords: held.newWords,
    whole: { subject: held.subject, text: held.text, receivedAt: held.receivedAt },
  }
  return { email, skipped: held.skipped }
}

/** Discards each email; it stays readable until it is 30 days old. */
export function discardEmails(actor: Actor, ids: readonly number[]): Promise<BulkResult> {
  return inSequence(ids, (id) =>
    change(actor, async (c) => {
      const [row] = await c.query<{ sorted: boolean }>(
        'select sorted_at is not null as sorted from held_emails where id = $1 for update',
        [id],
      )
      if (orNotFound(row).sorted) throw new Conflict('email_sorted')
      await c.trx('held_emails').where({ id }).update({ sortedAt: c.now })
      c.audit('mail.discarded', id)
    }),
  )
}

/** Discards a domain's waiting emails, with one audit entry. Throws NotFound without any. */
export function discardEmailsFrom(actor: Actor, domain: string): Promise<BulkResult> {
  return change(actor, async (c) => {
    const rows: { id: number }[] = await c
      .trx('held_emails')
      .where({ domain, sortedAt: null })
      .update({ sortedAt: c.now })
      .returning('id')
    orNotFound(rows[0])
    c.audit('mail.discarded', null, {
      domain: { before: null, after: domain },
      emails: { before: null, after: rows.length },
    })
    return { done: rows.map(({ id }) => id), skipped: [] }
  })
}
