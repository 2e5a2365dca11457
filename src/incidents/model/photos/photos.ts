import type { Change } from '../../../platform/db/change.js'
import { query } from '../../../platform/db/database.js'
import { photoStore } from '../../../platform/photos/configuredStore.js'
import { putPhoto, removePhoto } from '../../../platform/photos/photoFiles.js'
import { newPhotoPath } from '../../../platform/photos/photoPath.js'
import { processPhoto } from '../../../platform/photos/photoProcessor.js'
import { PhotoRefused } from '../../../platform/photos/photoRefused.js'
import { OutcomeUnknown } from '../../../platform/process/databaseErrors.js'
import { limits } from '../../../vocabulary/limits.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import { requireOurStore } from './buildingPhotoStore.js'

/** An uploaded picture, as a path or bytes, and what its sender calls it. */
export type Upload = { content: string | Buffer; name: string }

/** A photo in the photo store, not yet in a table. */
export type StoredPhoto = { path: string; width: number; height: number; bytes: number }

/** A photo kept for the next try of a failed form. */
export type StagedPhoto = StoredPhoto & { id: string }

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

export async function storePhoto({ content, name }: Upload): Promise<StoredPhoto> {
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
export async function discardPhotos(photos: readonly { path: string }[]): Promise<void> {
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
