import { z } from 'zod'
import type { InternalNote } from '../../models/incidents/note.js'
import { instant, rowId, shape } from '../json.js'

/** An internal note, for staff only. */
export const NoteJson = shape('InternalNote', {
  id: rowId,
  authorName: z.string(),
  body: z.string(),
  createdAt: instant,
})

export function presentNote({ id, authorName, body, createdAt }: InternalNote): z.output<typeof NoteJson> {
  return { id, authorName, body, createdAt: createdAt.toISOString() }
}
