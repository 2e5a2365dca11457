import type { Attempt, DeliveryOutcome, Email } from '../../vocabulary/email/delivery.js'
import { photoStore } from '../photos/configuredStore.js'
import { thumbnailOf } from '../photos/photoPath.js'
import { type StoredFile, StoreUnavailable } from '../photos/store.js'
import { config } from '../process/config.js'
import { writeToEmailFolder } from './emailFolder.js'
import type { AttachedPhoto } from './message.js'
import { type Patience, sendBySmtp, smtpPatience } from './smtp.js'

/** Bytes of one reduced photo that an email carries; a larger one is left out. */
const mostBytes = 500_000

/**
 * Sends by SMTP_URL, or without it writes the same bytes into the outbox folder (decision 6.8).
 * Throws only for faults of ours. Ends in time and, once the photos are read, at once by `stop`.
 * One connection per email: a building sends few, and none goes stale.
 */
export async function sendEmail(
  email: Email,
  attempt: Attempt = {},
  patience: Patience = smtpPatience,
): Promise<DeliveryOutcome> {
  if (!isAddress(email.to.address)) return { as: 'failed', why: 'no address' }
  const { smtpUrl, outboxDir } = config.email
  const attached = await attachedPhotos(email.photos ?? []).catch(nullIfStoreAway)
  if (attached === null) return { as: 'retry', why: 'photo store away' }
  const withAttachments = { ...email, attached }
  return smtpUrl
    ? sendBySmtp(smtpUrl, withAttachments, attempt, patience)
    : writeToEmailFolder(outboxDir, withAttachments)
}

/** These photos, reduced, without those that are gone. Throws StoreUnavailable. */
async function attachedPhotos(photoPaths: readonly string[]): Promise<AttachedPhoto[]> {
  const attached: AttachedPhoto[] = []
  for (const photoPath of photoPaths) {
    const stored = await photoStore.open(thumbnailOf(photoPath))
    if (!stored) continue
    if (stored.size > mostBytes) {
      stored.stream.destroy()
      continue
    }
    const content = await bytesOf(stored)
    attached.push({ filename: `${attached.length + 1}.jpg`, content, contentType: 'image/jpeg' })
  }
  return attached
}

/** All bytes of a file. Throws StoreUnavailable. */
async function bytesOf({ stream }: StoredFile): Promise<Buffer> {
  try {
    return Buffer.concat(await stream.toArray())
  } catch (cause) {
    throw new StoreUnavailable({ cause })
  }
}

/** Null when the photo store is away. Throws any other error, which would not go away by itself. */
function nullIfStoreAway(error: unknown): null {
  if (error instanceof StoreUnavailable) return null
  throw error
}

/** A single mailbox: nothing a server could read as two, or as a command. */
const isAddress = (address: string) => /^[^\s<>,;:"()[\]\\@]+@[^\s<>,;:"()[\]\\@]+$/.test(address)
