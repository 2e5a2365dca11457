import { z } from 'zod'
import { PhotoRefused, photoProblems } from '../photoFormat.js'
import { type Frame, framed } from './frames.js'

/** Two JPEGs without metadata; width and height are the upright pixels of `photo`. */
export type ProcessedPhoto = { photo: Buffer; thumbnail: Buffer; width: number; height: number }

/** Pixels of a stored photo's longer edge. */
export const photoEdge = 2560
/** Characters of the decoder's own words that are kept, for the log. */
const mostWords = 300

/**
 * `thumbnail`: its bytes stand in the body after the first `photo`. Read strictly: hostile bytes
 * made it.
 */
const Head = z.union([
  z.object({
    width: z.int().min(1).max(photoEdge),
    height: z.int().min(1).max(photoEdge),
    photo: z.int().min(1),
    thumbnail: z.int().min(1),
  }),
  z.object({ refused: z.enum(photoProblems), words: z.string().max(mostWords) }),
])

/**
 * A decoder's answer: both pictures, or why there are none. Any error but PhotoRefused is one of
 * reading the picture.
 */
export function answerWith(outcome: ProcessedPhoto | Error): Buffer[] {
  if (outcome instanceof Error) {
    const refused = outcome instanceof PhotoRefused ? outcome.problem : 'photo_unreadable'
    const { message } = outcome.cause instanceof Error ? outcome.cause : outcome
    return framed({ refused, words: message.slice(0, mostWords) })
  }
  const { photo, thumbnail, width, height } = outcome
  return framed({ width, height, photo: photo.length, thumbnail: thumbnail.length }, photo, thumbnail)
}

/**
 * The pictures of an answer. Throws PhotoRefused, and any other error for what is no answer of a
 * decoder in its senses.
 */
export function pictures({ head, body }: Frame): ProcessedPhoto {
  const told = Head.parse(head)
  if ('refused' in told) throw new PhotoRefused(told.refused, { cause: new Error(told.words) })
  const { photo, thumbnail, width, height } = told
  if (photo + thumbnail !== body.length) throw new Error('the sizes do not add up')
  return { photo: body.subarray(0, photo), thumbnail: body.subarray(photo), width, height }
}
