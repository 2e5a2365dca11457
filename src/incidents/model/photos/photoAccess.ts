import { query } from '../../../platform/db/database.js'
import { photoStore } from '../../../platform/photos/configuredStore.js'
import { isPhotoPath, photoOf } from '../../../platform/photos/photoPath.js'
import type { StoredFile } from '../../../platform/photos/store.js'
import type { Viewer } from '../../../vocabulary/people/actor.js'
import { type Stager, stagerIds } from './stagedPhotos.js'

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
