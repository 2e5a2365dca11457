import { randomUUID } from 'node:crypto'
import { query } from '../../../src/platform/db/database.js'
import { insertRow } from '../rows.js'

type Given = {
  address?: string | null
  subject?: string
  text?: string
  photos?: number
  /** Names of files that were not taken, and of photos that could not be stored just then. */
  skipped?: string[]
  later?: string[]
  sorted?: boolean
}

/**
 * An email of an unknown sender in the list of those to sort, as the door for email
 * leaves it; returns its id.
 */
export async function heldEmail(given: Given = {}): Promise<number> {
  const { address = 'ada@flood.example', subject = 'Smell', text = 'In the hall', photos = 0 } = given
  const { id } = await insertRow('held_emails', {
    received_at: new Date(),
    domain: address?.split('@')[1] ?? '',
    reason: 'domain',
    sender_name: 'Ada',
    sender_address: address,
    title: subject,
    description: text,
    skipped: JSON.stringify({ refused: given.skipped ?? [], later: given.later ?? [] }),
    sorted_at: given.sorted ? new Date() : null,
  })
  for (let i = 0; i < photos; i += 1)
    await query(
      'insert into held_email_photos (path, held_email_id, width, height, bytes) values ($1, $2, 1, 1, 1)',
      [`${randomUUID()}.jpg`, id],
    )
  return id
}
