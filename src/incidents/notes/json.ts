import { z } from 'zod'
import { instantText, rowId, shape } from '../../platform/http/json.js'
import type { InternalNote } from './queries.js'

/**
 * An internal note, for staff only. `fromIncidentId`: the duplicate it was written on (decision 2.5). `via`, `authorEmail`: of a reply by an assignee outside the building (decision 7.5).
 */
export const NoteJson = shape('InternalNote', {
  id: rowId,
  authorName: z.string(),
  body: z.string(),
  createdAt: instantText,
  fromIncidentId: rowId.optional(),
  via: z.literal('email').optional(),
  authorEmail: z.string().optional(),
})

export function presentNote(note: InternalNote, shownOn: number): z.output<typeof NoteJson> {
  const { id, incidentId, authorName, authorEmail, body, createdAt } = note
  const from = incidentId === shownOn ? {} : { fromIncidentId: incidentId }
  const sender = authorEmail === null ? {} : { via: 'email' as const, authorEmail }
  return { id, authorName, body, createdAt: createdAt.toISOString(), ...from, ...sender }
}
