import { limits } from '../../domain/system/limits.js'
import { cleanLine, cut } from '../../domain/system/plainText.js'
import { type StoredPhoto, storePhotos } from '../incidents/photos.js'

/** What was attached to a mail; whatever is not text in it is empty text here. */
export type Attachment = { filename: string; contentBase64: string }

/** Attachments that became no photos: those that cannot, and those that might on another day. */
export type Skipped = { refused: string[]; later: string[] }

/** Attachments that are tried at all: refused pictures cost work as well. */
const mostTried = 4 * limits.photosPerPost
/** Characters of an attachment's name that are shown. */
const mostName = 100
/** Known before a byte is decoded: four characters make three bytes, and line breaks add up to a tenth. */
const mostBase64 = limits.photoBytes * (4 / 3) * 1.1
const worthAnotherTry = new Set(['StorageUnavailable', 'photo_busy'])

/**
 * Puts a mail's pictures through the one pipeline, one at a time, until there are as many as a post may have. Never
 * throws: the mail matters more than what hangs on it, so every attachment left out is named instead (decision 4.5).
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

/** The names of all of them, for a mail that is kept without what was attached. */
export function allLater(attachments: readonly Attachment[]): Skipped {
  return { refused: [], later: attachments.map(nameOf) }
}

async function store({ contentBase64 }: Attachment): Promise<StoredPhoto | keyof Skipped> {
  if (contentBase64.length > mostBase64) return 'refused'
  try {
    const [photo] = await storePhotos([Buffer.from(contentBase64, 'base64')])
    return photo!
  } catch (error) {
    const { name, problem } = error as Error & { problem?: string }
    return worthAnotherTry.has(problem ?? name) ? 'later' : 'refused'
  }
}

function nameOf({ filename }: Attachment): string {
  return cut(cleanLine(filename), mostName) || '?'
}
