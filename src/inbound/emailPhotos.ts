import { type StoredPhoto, storePhotos } from '../incidents/photos/photos.js'
import { limits } from '../vocabulary/limits.js'
import { cleanLine, cut } from '../vocabulary/plainText.js'

/**
 * An attachment of an email, also as a `data:` URL; content that is not text is the empty string
 * here.
 */
export type Attachment = { filename: string; contentBase64: string }

/**
 * Attachments that became no photos: `refused` never can, `later` failed for a temporary reason.
 */
export type Skipped = { refused: string[]; later: string[] }

/** Most attachments tried: refused pictures cost work as well. */
const mostTried = 4 * limits.photosPerPost
/** Characters of an attachment's name shown. */
const mostName = 100
/**
 * Size limit before decoding: four characters make three bytes, and line breaks add up to a tenth.
 */
const mostBase64 = limits.photoBytes * (4 / 3) * 1.1
const worthAnotherTry = new Set(['StorageUnavailable', 'photo_busy'])

/**
 * Processes a mail's pictures, one at a time, up to a post's limit. Never throws, because the mail
 * matters more: skipped attachments are listed instead (decision 4.5).
 */
export async function mailPhotos(
  attachments: readonly Attachment[],
): Promise<{ stored: StoredPhoto[]; skipped: Skipped }> {
  const stored: StoredPhoto[] = []
  const skipped: Skipped = { refused: [], later: [] }
  for (const [i, attachment] of attachments.entries()) {
    const photo = i < mostTried && stored.length < limits.photosPerPost ? await store(attachment) : 'refused'
    if (typeof photo === 'string') skipped[photo].push(nameOf(attachment))
    else stored.push(photo)
  }
  return { stored, skipped }
}

/** All attachments as skipped, for a mail stored without them. */
export function allLater(attachments: readonly Attachment[]): Skipped {
  return { refused: [], later: attachments.map(nameOf) }
}

async function store({ contentBase64, filename }: Attachment): Promise<StoredPhoto | keyof Skipped> {
  if (contentBase64.length > mostBase64) return 'refused'
  const base64 = contentBase64.replace(/^data:[^,]{0,200},/i, '')
  try {
    const [photo] = await storePhotos([{ content: Buffer.from(base64, 'base64'), name: filename }])
    return photo!
  } catch (error) {
    const { name, problem } = error as Error & { problem?: string }
    return worthAnotherTry.has(problem ?? name) ? 'later' : 'refused'
  }
}

function nameOf({ filename }: Attachment): string {
  return cut(cleanLine(filename), mostName) || '?'
}
