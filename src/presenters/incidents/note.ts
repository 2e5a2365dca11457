import { z } from 'zod'
import type { InternalNote } from '../../models/incidents/note.js'
import { instant, rowId, shape } from '../json.js'

/** An internal note, for staff only. `fromIncidentId`: the duplicate it was written on (decision 2.5). */
export const NoteJson = shape('InternalNote', {
  id: rowId,
  authorName: z.string(),
  body: z.string(),
  createdAt: instant,
  fromIncidentId: rowId.optional(),
})

export function presentNote(note: InternalNote, shownOn: number): z.output<typeof NoteJson> {
  const { id, incidentId, authorName, body, createdAt } = note
  const from = incidentId === shownOn ? {} : { fromIncidentId: incidentId }
  return { id, authorName, body, createdAt: createdAt.toISOString(), ...from }
}
