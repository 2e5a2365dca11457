import { type StoredPhoto, storePhotos } from '../../incidents/model/photos/photos.js'
import { photoFormat } from '../../platform/photos/photoFormat.js'
import { PhotoRefused } from '../../platform/photos/photoRefused.js'
import { limits } from '../../vocabulary/limits.js'
import { cleanLine, cut } from '../../vocabulary/plainText.js'
import type { EmailFile, EmailPhotos, FileNotTaken } from '../message.js'
import { fileBytes, isEmail } from '../parse/emailFile.js'
import { pictureSize } from './pictureSize.js'

type Why = FileNotTaken['why']

/** Most pictures decoded: refused ones cost work as well. */
const mostTried = 4 * limits.photosPerPost
/** Characters of a file's name that are kept. */
const mostName = 100
/** Before decoding: four characters make three bytes, and line breaks add up to a tenth. */
const mostBase64 = limits.photoBytes * (4 / 3) * 1.1
/** Pixels: an inline picture with a smaller side is a logo, an icon or a line (decision 9.5). */
const leastInline = 100
/** Characters of base64 in which a file says what it is and how large its picture is. */
const mostStart = 400_000

/**
 * Processes an email's pictures, one at a time, up to a post's limit. Never throws, because the
 * email matters more: what is not taken is listed instead (decisions 4.5, 9.5). Small pictures that
 * the HTML shows are passed over in silence.
 */
export async function emailPhotos(files: readonly EmailFile[]): Promise<EmailPhotos> {
  const stored: StoredPhoto[] = []
  const notTaken: FileNotTaken[] = []
  let tried = 0
  for (const file of files) {
    const start = startOf(file)
    if (file.isInline && isSmall(start)) continue
    const isFull = tried >= mostTried || stored.length >= limits.photosPerPost
    const why = whyNotTried(file, start) ?? (isFull ? 'too_many' : null)
    if (why !== null) {
      notTaken.push({ name: nameOf(file), why })
      continue
    }
    tried += 1
    const photo = await store(file)
    if (typeof photo === 'string') notTaken.push({ name: nameOf(file), why: photo })
    else stored.push(photo)
  }
  return { stored, notTaken }
}

/** All files as not taken, pictures for now, for an email stored without them. */
export function allLater(files: readonly EmailFile[]): FileNotTaken[] {
  return files.flatMap((file) => {
    const start = startOf(file)
    return file.isInline && isSmall(start)
      ? []
      : [{ name: nameOf(file), why: whyNotTried(file, start) ?? 'later' }]
  })
}

const startOf = (file: EmailFile) => fileBytes(file, mostStart)

function isSmall(start: Buffer): boolean {
  const size = pictureSize(start)
  return size !== null && Math.min(size.width, size.height) < leastInline
}

/** What the beginning of a file says against it; null for a picture that is worth decoding. */
function whyNotTried(file: EmailFile, start: Buffer): Why | null {
  const { filename, type, contentBase64 } = file
  if (/^winmail\.dat$/i.test(filename.trim()) || type === 'application/ms-tnef') return 'winmail'
  // An email that is still a file could not be opened.
  if (start.length === 0 || isEmail(file)) return 'unreadable'
  if (contentBase64.length > mostBase64) return 'too_large'
  try {
    photoFormat(start)
    return null
  } catch (error) {
    return whyRefused(error)
  }
}

async function store(file: EmailFile): Promise<StoredPhoto | Why> {
  try {
    const [photo] = await storePhotos([{ content: fileBytes(file), name: file.filename }])
    return photo!
  } catch (error) {
    return whyRefused(error)
  }
}

const reasons: Record<PhotoRefused['problem'], Why> = {
  photo_empty: 'unreadable',
  photo_type: 'not_a_picture',
  photo_heic: 'heic',
  photo_unreadable: 'unreadable',
  photo_too_large: 'too_large',
  photo_too_many_pixels: 'too_many_pixels',
  photo_busy: 'later',
}

function whyRefused(error: unknown): Why {
  return error instanceof PhotoRefused ? reasons[error.problem] : 'later'
}

function nameOf({ filename }: EmailFile): string {
  return cut(cleanLine(filename), mostName) || '?'
}
