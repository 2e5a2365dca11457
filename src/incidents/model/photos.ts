import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { oneAtATime } from '../../platform/db/oneAtATime.js'
import { photoStore } from '../../platform/photos/configuredStore.js'
import { putPhoto, removePhoto } from '../../platform/photos/photoFiles.js'
import { isPhotoPath, newPhotoPath, photoOf } from '../../platform/photos/photoPath.js'
import { processPhoto } from '../../platform/photos/photoProcessor.js'
import { PhotoRefused } from '../../platform/photos/photoRefused.js'
import type { StoredFile } from '../../platform/photos/store.js'
import { OutcomeUnknown } from '../../platform/process/databaseErrors.js'
import { bounds, limits } from '../../vocabulary/limits.js'
import type { Actor, Viewer } from '../../vocabulary/people/actor.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { requireOurStore } from './buildingsPhotos.js'

/** An uploaded picture, as a path or bytes, and what its sender calls it. */
type Upload = { content: string | Buffer; name: string }

/** A photo in the photo store, not yet in a table. */
export type StoredPhoto = { path: string; width: number; height: number; bytes: number }

/** A photo kept for the next try of a failed form. */
export type StagedPhoto = StoredPhoto & { id: string }

/**
 * Whose staged photos are meant: an account's, those of a guest's browser, by the hash of its
 * secret, or both, of someone who was a guest there before.
 */
export type Stager = { userId: number; browser?: Buffer | null } | { browser: Buffer }

/** By whose ids a staged photo is found: the account's or the browser's. */
const stagerIds = (who: Stager | null): [number | null, Buffer | null] => {
  if (who === null) return [null, null]
  return 'userId' in who ? [who.userId, who.browser ?? null] : [null, who.browser]
}

/**
 * The user's own staged photos among these ids, in the order of upload. Ids of other people's
 * photos are ignored.
 */
export async function stagedPhotos(who: Stager, ids: string[]): Promise<StagedPhoto[]> {
  if (ids.length === 0) return []
  return query(
    `select id, path, width, height, bytes from staged_photos
     where (user_id = $1::integer or browser_hash = $2::bytea) and id = any ($3::uuid[])
     order by created_at, id`,
    [...stagerIds(who), ids],
  )
}

/**
 * The photos of a report or update: stored by this request, or by an earlier one that was refused.
 */
export type PostedPhotos = { stored: readonly StoredPhoto[]; staged: readonly StagedPhoto[] }

/** Throws ValidationFailed for more photos than one report or update may have (decision 2.12). */
export function requireFew(count: number): void {
  if (count > limits.photosPerPost) throw new ValidationFailed({ photos: ['photos_too_many'] })
}

/**
 * Processes and stores uploaded pictures: all of them or, when one is refused, none. Throws
 * PhotoRefused, which names the one, or StoreUnavailable.
 */
export async function storePhotos(uploads: readonly Upload[]): Promise<StoredPhoto[]> {
  requireFew(uploads.length)
  const stored: StoredPhoto[] = []
  try {
    for (const upload of uploads) stored.push(await storePhoto(upload))
    return stored
  } catch (error) {
    await discardPhotos(stored)
    throw error
  }
}

async function storePhoto({ content, name }: Upload): Promise<StoredPhoto> {
  const processed = await processPhoto(content).catch((error: unknown) => {
    if (error instanceof PhotoRefused) error.file = name
    throw error
  })
  const path = newPhotoPath()
  await requireOurStore()
  await putPhoto(photoStore, path, processed)
  return { path, width: processed.width, height: processed.height, bytes: processed.photo.length }
}

/** Removes stored photos after the change that needed them failed. */
async function discardPhotos(photos: readonly { path: string }[]): Promise<void> {
  await Promise.allSettled(photos.map(({ path }) => removePhoto(photoStore, path)))
}

/**
 * Runs an action that uses stored photos and removes them when it fails; after an unknown outcome
 * they stay, and `tidy` removes them later if no row names them.
 */
export async function withPhotos<T>(photos: readonly StoredPhoto[], act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) await discardPhotos(photos)
    throw error
  }
}

/** Attaches stored photos to an incident or to one of its updates. */
export async function insertPhotos(
  c: Change,
  incidentId: number,
  updateId: number | null,
  photos: readonly StoredPhoto[],
): Promise<void> {
  if (photos.length === 0) return
  await c.query(
    `insert into photos (incident_id, update_id, path, width, height, bytes, created_at)
     select $1::integer, $2::integer, p.path, p.width, p.height, p.bytes, $3::timestamptz
     from json_to_recordset($4) as p (path text, width integer, height integer, bytes integer)`,
    [incidentId, updateId, c.now, JSON.stringify(photos)],
  )
}

/**
 * Keeps the valid uploads of a form for its next try (decision 6.17) or until its guest has signed
 * in (7.15). Deleted after a day, a guest's after two hours, or when many newer ones came.
 * `refused`: why the first invalid one was.
 */
export async function stageUploads(
  actor: Actor,
  who: Stager,
  uploads: readonly Upload[],
): Promise<{ staged: StagedPhoto[]; refused: unknown }> {
  const results = await Promise.allSettled(uploads.map(storePhoto))
  const photos = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const refused = results.find((each) => each.status === 'rejected')?.reason
  const stage = () => stagePhotos(actor, who, photos)
  return { staged: photos.length === 0 ? [] : await withPhotos(photos, stage), refused }
}

async function stagePhotos(
  actor: Actor,
  who: Stager,
  photos: readonly StoredPhoto[],
): Promise<StagedPhoto[]> {
  // Not with the form's idempotency key: that belongs to the record the form creates.
  const { idempotency: _unused, ...stager } = actor
  const { staged, dropped } = await change(stager, async (c) => {
    c.audit('photo.staged', null, { photos: { before: null, after: photos.length } })
    if ('userId' in who) await oneAtATime(c, `staged:${who.userId}`)
    else await requireRoomForGuests(c)
    const staged = await c.query<StagedPhoto>(
      `insert into staged_photos (user_id, browser_hash, path, width, height, bytes)
       select $1::integer, $2::bytea, p.path, p.width, p.height, p.bytes
       from json_to_recordset($3) as p (path text, width integer, height integer, bytes integer)
       returning id, path, width, height, bytes`,
      [...stagerIds(who), JSON.stringify(photos)],
    )
    return { staged, dropped: await dropOldest(c, who, staged) }
  })
  await discardPhotos(dropped)
  return staged
}

async function dropOldest(c: Change, who: Stager, staged: StagedPhoto[]): Promise<{ path: string }[]> {
  return c.query(
    `delete from staged_photos where id in (
       select id from staged_photos
       where (user_id = $1::integer or browser_hash = $2::bytea) and id <> all ($3::uuid[])
       order by created_at desc, id offset $4
     ) returning path`,
    [...stagerIds(who), staged.map(({ id }) => id), bounds.stagedPhotos - staged.length],
  )
}

/**
 * Throws ValidationFailed while guests' photos fill their share of the disk: no one else's are
 * dropped for them.
 */
async function requireRoomForGuests(c: Change): Promise<void> {
  await oneAtATime(c, 'staged:guests')
  const [row] = await c.query<{ full: boolean }>(
    `select coalesce(sum(bytes), 0) >= $1 as full from staged_photos where browser_hash is not null`,
    [bounds.guestPhotoBytes],
  )
  if (row!.full) throw new ValidationFailed({ photos: ['photos_guests_full'] })
}

/**
 * Uses up staged photos in the change that needs them. Throws when a concurrent repetition was
 * first.
 */
export async function claimStaged(c: Change, staged: readonly StagedPhoto[]): Promise<void> {
  if (staged.length === 0) return
  const claimed = await c.query('delete from staged_photos where id = any ($1::uuid[]) returning id', [
    staged.map(({ id }) => id),
  ])
  if (claimed.length < staged.length) throw new ValidationFailed({ photos: ['photo_staged_gone'] })
}

/**
 * A photo or thumbnail that this reader may fetch: a photo of an incident everyone, a hidden one
 * staff, a staged one only its uploader. `open`: its bytes, null when the store has none.
 */
export async function findPhoto(
  path: string,
  who: Stager | null,
  { staff }: Viewer,
): Promise<{ forAnybody: boolean; open: () => Promise<StoredFile | null> } | null> {
  if (!isPhotoPath(path)) return null
  const [row] = await query<{ readers: 'anybody' | 'staff' | 'owner' | null }>(
    `select case when exists (select 1 from photos where path = $3 and hidden_at is null) then 'anybody'
       when exists (select 1 from photos where path = $3) then 'staff'
       when exists (
         select 1 from staged_photos
         where path = $3 and (user_id = $1::integer or browser_hash = $2::bytea)
       ) then 'owner' end as readers`,
    [...stagerIds(who), photoOf(path)],
  )
  const { readers } = row!
  if (readers === null || (readers === 'staff' && !staff)) return null
  return { forAnybody: readers === 'anybody', open: () => photoStore.open(path) }
}

/** A photo of an incident or of an entry in its timeline. */
export type IncidentPhoto = {
  id: number
  incidentId: number
  path: string
  width: number
  height: number
  createdAt: Date
  updateId: number | null
  /** Since when only staff see it (decision 7.14). */
  hiddenAt: Date | null
}

/** The photos of an incident, in the order in which they were added. */
export async function incidentPhotos(incidentId: number): Promise<IncidentPhoto[]> {
  return query(
    `select id, incident_id, path, width, height, created_at, update_id, hidden_at
     from photos where incident_id = $1 order by id`,
    [incidentId],
  )
}
