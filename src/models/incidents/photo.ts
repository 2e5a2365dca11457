import { query, Row } from '../../database.js'

/** A row of `photos`: a picture of an incident. Its thumbnail is at `<path>.thumb.jpg`. */
export class Photo extends Row {
  static override tableName = 'photos'

  declare incidentId: number
  declare updateId: number | null
  declare path: string
  declare width: number
  declare height: number
  declare bytes: number
  declare createdAt: Date
}

/** A photo kept for the next try of a failed form. */
export type StagedPhoto = { id: string; path: string; width: number; height: number; bytes: number }

/** The user's own staged photos among these ids, in the order of upload; other users' ids are ignored. */
export async function stagedPhotos(userId: number, ids: string[]): Promise<StagedPhoto[]> {
  if (ids.length === 0) return []
  return query(
    `select id, path, width, height, bytes from staged_photos where user_id = $1 and id = any ($2::uuid[]) order by created_at, id`,
    [userId, ids],
  )
}

/** Who may fetch this path: a photo of an incident everybody, a staged one only its uploader. */
export async function readersOfPhoto(
  path: string,
  userId: number | null,
): Promise<'anybody' | 'owner' | null> {
  const [row] = await query<{ readers: 'anybody' | 'owner' | null }>(
    `select case when exists (select 1 from photos where path = $1) then 'anybody'
       when exists (select 1 from staged_photos where path = $1 and user_id = $2) then 'owner' end as readers`,
    [path, userId],
  )
  return row!.readers
}
