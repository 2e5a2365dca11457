import { query } from '../../../src/platform/db/database.js'
import type { House } from '../house/house.js'
import { forgetEmailFollowers } from './emailFollowers.js'

/** The email server of the building, whose verdict on a sender is believed. */
export const houseServer = 'mx.house.example'

type Given = {
  from: string
  subject?: string
  text?: string
  messageId?: string
  isProven?: boolean
  isSpam?: boolean
}

let n = 0

/**
 * Sends an email to the building; its sender is proven or forged. Returns the answer of the door.
 */
export function receive(house: House, given: Given): Promise<Response> {
  n += 1
  const { from, subject = `Smell ${n}`, text = `Words ${n}.`, messageId = `<${n}@x.example>` } = given
  const verdict = `${houseServer}; dmarc=pass header.from=${from.split('@')[1]}`
  const headers: Record<string, string> = {}
  if (given.isProven) headers['Authentication-Results'] = verdict
  if (given.isSpam) headers['X-Spam-Flag'] = 'YES'
  return house.ask('inbound', '/api/inbound-email', { json: { from, subject, text, messageId, headers } })
}

/** What becomes of such an email: created, appended, held, or refused for now. */
export async function outcomeOf(house: House, given: Given): Promise<string> {
  const answer = await receive(house, given)
  if (answer.status === 503) return 'refused'
  const { action, reason } = (await answer.json()) as { action: string; reason?: string }
  return reason ?? action
}

/** As if every email had come in so much earlier, such as `9 minutes`. */
export const emailsAge = (time: string) =>
  query('update inbound_emails set received_at = received_at - $1::interval', [time])

/** Takes the emails of this hour out of the count. */
export const anHourLater = () => emailsAge('1 hour')

/** Forgets every email that came in: none counts against a limit, waits, or is a repetition. */
export const forgetEmails = () =>
  query(
    'delete from held_emails; delete from dropped_emails; delete from inbound_emails; delete from throttles',
  )

/** As if no one had ever emailed, followed by email, or had a message to come. */
export async function forgetSenders(): Promise<void> {
  await forgetEmailFollowers()
  await forgetEmails()
}
