import { thumbnailOf } from '../photos/photoPath.js'
import { photoStore } from '../photos/photoStore.js'

export type AttachedPhoto = { filename: string; content: Buffer; contentType: 'image/jpeg' }

/** Bytes of one reduced picture that a mail carries; a larger one is left out. */
const mostBytes = 500_000

/** These photos, reduced, as files of a mail. One that is gone is left out. Throws StorageUnavailable. */
export async function attachedPhotos(paths: readonly string[]): Promise<AttachedPhoto[]> {
  const attached: AttachedPhoto[] = []
  for (const path of paths) {
    const stored = await photoStore.open(thumbnailOf(path))
    if (!stored) continue
    if (stored.size > mostBytes) {
      stored.stream.destroy()
      continue
    }
    const content = Buffer.concat(await stored.stream.toArray())
    attached.push({ filename: `${attached.length + 1}.jpg`, content, contentType: 'image/jpeg' })
  }
  return attached
}
