import { query, Row } from '../../platform/db/database.js'

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

/**
 * Whose staged photos are meant: an account's, those of a guest's browser, by the hash of its
 * secret, or both, of someone who was a guest there before.
 */
export type Stager = { userId: number; browser?: Buffer | null } | { browser: Buffer }

/** SQL: whether the staged photo is theirs; `$1` and `$2` are `stagerIds`. */
export const isStager = '(user_id = $1::integer or browser_hash = $2::bytea)'
export const stagerIds = (who: Stager | null): [number | null, Buffer | null] => {
  if (who === null) return [null, null]
  return 'userId' in who ? [who.userId, who.browser ?? null] : [null, who.browser]
}

/**
 * Their own staged photos among these ids, in the order of upload; other people's ids are ignored.
 */
export async function stagedPhotos(who: Stager, ids: string[]): Promise<StagedPhoto[]> {
  if (ids.length === 0) return []
  return query(
    `select id, path, width, height, bytes from staged_photos where ${isStager} and id = any ($3::uuid[]) order by created_at, id`,
    [...stagerIds(who), ids],
  )
}

/** Who may fetch a photo; null: no one of those who ask. */
type Readers = 'anybody' | 'staff' | 'owner' | null

/**
 * Who may fetch this path: a photo of an incident everyone, a hidden one staff, a staged one only
 * its uploader.
 */
export async function readersOfPhoto(path: string, who: Stager | null): Promise<Readers> {
  const [row] = await query<{ readers: Readers }>(
    `select case when exists (select 1 from photos where path = $3 and hidden_at is null) then 'anybody'
       when exists (select 1 from photos where path = $3) then 'staff'
       when exists (select 1 from staged_photos where path = $3 and ${isStager}) then 'owner' end as readers`,
    [...stagerIds(who), path],
  )
  return row!.readers
}

/** The next 500 paths rows name, in order; the empty path is before the first. */
export async function photoPathsAfter(path: string): Promise<string[]> {
  const next = (table: string) => `(select path from ${table} where path > $1 order by path limit 500)`
  const rows = await query<{ path: string }>(
    `select path from (${['photos', 'staged_photos', 'held_photos'].map(next).join(' union ')}) named
     order by path limit 500`,
    [path],
  )
  return rows.map((row) => row.path)
}

/** Which of these photo paths a row names, of whatever table: `path` is unique in each. */
export async function knownPhotos(paths: string[]): Promise<Set<string>> {
  const rows = await query<{ path: string }>(
    `select path from photos where path = any ($1) union select path from staged_photos where path = any ($1)
     union select path from held_photos where path = any ($1)`,
    [paths],
  )
  return new Set(rows.map(({ path }) => path))
}
