import type { InternalNote } from '../../models/incidents/note.js'

/** An internal note; only ever given to staff. */
export function presentNote({ id, authorName, body, createdAt }: InternalNote) {
  return { id, authorName, body, createdAt: createdAt.toISOString() }
}
