import { createHmac } from 'node:crypto'
import { isOwnMessageId, messageNameLength } from './ownEmail.js'

/** Bytes of a name: the incident's id, what tells this email from others, and the seal of both. */
const idBytes = 4
const ownBytes = 8
const sealBytes = 8

/** Added to the incident's id in emails to contacts; ids are smaller. */
const toContact = 2 ** 31

type NamedRow = { id: number; createdAt: Date; incidentId: number | null; contactId: number | null }

/** The key of our message ids. */
export function messageKey(secret: string): Buffer {
  return createHmac('sha256', secret).update('message names').digest()
}

/**
 * The name before the @ of an email's Message-ID, always the same for its outbox row. It says which
 * incident the email is about, so that an answer finds it years later, and cannot be made up. Tells
 * nothing of other emails. The name of an email to a contact says so: replies to it are for staff
 * alone.
 */
export function messageNameOf(key: Buffer, { id, createdAt, incidentId, contactId }: NamedRow): string {
  const own = mac(key, `row:${id}:${createdAt.getTime()}`).subarray(0, ownBytes)
  const content = Buffer.concat([Buffer.alloc(idBytes), own])
  content.writeUInt32BE((incidentId ?? 0) + (contactId === null ? 0 : toContact))
  return Buffer.concat([content, sealOf(key, content)]).toString('base64url')
}

/** What a Message-ID of ours is about; null for no incident, and for an id that is not ours. */
export function incidentOfMessage(
  key: Buffer,
  messageId: string,
  host: string,
): { incidentId: number; isAssignment: boolean } | null {
  const name = sealedName(key, messageId, host)
  const idNumber = name === null ? 0 : Buffer.from(name, 'base64url').readUInt32BE()
  const incidentId = idNumber % toContact
  return incidentId === 0 ? null : { incidentId, isAssignment: idNumber >= toContact }
}

/** The name before the @ of a Message-ID that we wrote; null for any other. */
export function sealedName(key: Buffer, messageId: string, host: string): string | null {
  const name = messageId.trim().replace(/^<|@.*$/g, '')
  if (name.length !== messageNameLength || !isOwnMessageId(messageId, host)) return null
  const bytes = Buffer.from(name, 'base64url')
  const content = bytes.subarray(0, idBytes + ownBytes)
  return sealOf(key, content).equals(bytes.subarray(idBytes + ownBytes)) ? name : null
}

const mac = (key: Buffer, content: string | Buffer) => createHmac('sha256', key).update(content).digest()
const sealOf = (key: Buffer, content: Buffer) => mac(key, content).subarray(0, sealBytes)
