import { oneAtATime } from '../../../platform/db/advisoryLocks.js'
import { type Change, change } from '../../../platform/db/change.js'
import { query } from '../../../platform/db/database.js'
import { bounds } from '../../../vocabulary/limits.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import {
  discardPhotos,
  type StagedPhoto,
  type StoredPhoto,
  storePhoto,
  type Upload,
  withPhotos,
} from './photos.js'

/**
 * Whose staged photos are meant: an account's, those of a guest's browser, by the hash of its
 * secret, or both, of someone who was a guest there before.
 */
export type Stager = { userId: number; browser?: Buffer | null } | { browser: Buffer }

/** By whose ids a staged photo is found: the account's or the browser's. */
export const stagerIds = (who: Stager | null): [number | null, Buffer | null] => {
  if (who === null) return [null, null]
  return 'userId' in who ? [who.userId, who.browser ?? null] : [null, who.browser]
}

/**
 * The user's own staged photos among these ids, in the order of `ids`: the photos of one upload
 * have the same time. Ids of other people's photos are ignored.
 */
export async function stagedPhotos(who: Stager, ids: string[]): Promise<StagedPhoto[]> {
  if (ids.length === 0) return []
  return query(
    `select id, path, width, height, bytes from staged_photos
     where (user_id = $1::integer or browser_hash = $2::bytea) and id = any ($3::uuid[])
     order by array_position($3::uuid[], id)`,
    [...stagerIds(who), ids],
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
