import { createHmac } from 'node:crypto'
import { parseId } from '../limits.js'

/** Characters of the seal in a tag: 40 bits, too many to guess by email. */
const sealLength = 8

/**
 * The tag in the subject of an email that gives an incident to an assignee outside the building,
 * without its brackets: `INC-57/k3j9x2qw`. Replies to it become staff notes (decision 7.5). No one
 * can make one up.
 */
export function assignmentTag(key: Buffer, incidentId: number): string {
  return `INC-${incidentId}/${sealOf(key, incidentId)}`
}

/** The incident that the tag in a subject names, and whether we made the tag; null without one. */
export function taggedAssignment(
  key: Buffer,
  subject: string,
): { incidentId: number; isOurs: boolean } | null {
  const [, digits, seal] = /\[\s*INC-(\d+)\/([a-z0-9]+)\s*\]/i.exec(subject) ?? []
  const incidentId = parseId(digits)
  if (incidentId === null || seal === undefined) return null
  return { incidentId, isOurs: sealOf(key, incidentId) === seal.toLowerCase() }
}

/** Lower case and digits alone: some mail programs change the letter case of a subject. */
function sealOf(key: Buffer, incidentId: number): string {
  const bytes = createHmac('sha256', key).update(`assignment:${incidentId}`).digest().subarray(0, sealLength)
  return [...bytes].map((byte) => 'abcdefghijkmnpqrstuvwxyz23456789'[byte % 32]).join('')
}
