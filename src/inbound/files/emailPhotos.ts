import { type StoredPhoto, storePhotos } from '../../incidents/photos/photos.js'
import { PhotoRefused } from '../../platform/photos/photoFormat.js'
import { StorageUnavailable } from '../../platform/photos/storage.js'
import { limits } from '../../vocabulary/limits.js'
import { cleanLine, cut } from '../../vocabulary/plainText.js'
import type { EmailFile, EmailPhotos, SkippedFiles } from '../message.js'

/** Most attachments tried: refused pictures cost work as well. */
const mostTried = 4 * limits.photosPerPost
/** Characters of an attachment's name shown. */
const mostName = 100
/** Before decoding: four characters make three bytes, and line breaks add up to a tenth. */
const mostBase64 = limits.photoBytes * (4 / 3) * 1.1

/**
 * Processes an email's pictures, one at a time, up to a post's limit. Never throws, because the
 * email matters more: skipped attachments are listed instead (decision 4.5).
 */
export async function emailPhotos(attachments: readonly EmailFile[]): Promise<EmailPhotos> {
  const stored: StoredPhoto[] = []
  const skipped: SkippedFiles = { refused: [], later: [] }
  for (const [i, attachment] of attachments.entries()) {
    const photo = i < mostTried && stored.length < limits.photosPerPost ? await store(attachment) : 'refused'
    if (typeof photo === 'string') skipped[photo].push(nameOf(attachment))
    else stored.push(photo)
  }
  return { stored, skipped }
}

/** All attachments as skipped, for an email stored without them. */
export function allLater(attachments: readonly EmailFile[]): SkippedFiles {
  return { refused: [], later: attachments.map(nameOf) }
}

async function store({ contentBase64, filename }: EmailFile): Promise<StoredPhoto | keyof SkippedFiles> {
  if (contentBase64.length > mostBase64) return 'refused'
  const base64 = contentBase64.replace(/^data:[^,]{0,200},/i, '')
  try {
    const [photo] = await storePhotos([{ content: Buffer.from(base64, 'base64'), name: filename }])
    return photo!
  } catch (error) {
    const isBusy = error instanceof PhotoRefused && error.problem === 'photo_busy'
    return isBusy || error instanceof StorageUnavailable ? 'later' : 'refused'
  }
}

function nameOf({ filename }: EmailFile): string {
  return cut(cleanLine(filename), mostName) || '?'
}
