import { query, Row } from '../database.js'

/** A row of `photos`: a picture of an incident. Its thumbnail lies at `<path>.thumb.jpg`. */
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

/** A photo a failed form keeps for its next try. */
export type StagedPhoto = { id: string; path: string; width: number; height: number; bytes: number }

/** The staged photos of this user among these ids, in the order of upload; others' ids find nothing. */
export async function stagedPhotos(userId: number, ids: string[]): Promise<StagedPhoto[]> {
  if (ids.length === 0) return []
  return query(
    `select id, path, width, height, bytes from staged_photos where user_id = $1 and id = any ($2::uuid[]) order by created_at, id`,
    [userId, ids],
  )
}

/** Whether anybody may fetch this path: a photo of an incident, or staged by this very user. */
export async function isReadablePhoto(path: string, userId: number | null): Promise<boolean> {
  const [row] = await query<{ readable: boolean }>(
    `select exists (select 1 from photos where path = $1)
       or exists (select 1 from staged_photos where path = $1 and user_id = $2) as readable`,
    [path, userId],
  )
  return row!.readable
}
