import { z } from 'zod'
import { PhotoRefused, photoProblems } from '../photoRefused.js'

/** What the service and its decoder tell each other: a few facts as JSON, then bytes. */
export type Frame = { head: unknown; body: Buffer }

/** Lengths of head and body, 32 bits each. */
const prefix = 8
/** Bytes: more than any upload or answer has, and all that a faulty decoder can make us keep. */
const mostBytes = 48 * 1024 * 1024

/** A frame as it is written: in parts, as large ones are not copied. */
export function framed(head: object, ...body: Buffer[]): Buffer[] {
  const words = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(prefix)
  lengths.writeUInt32LE(words.length, 0)
  lengths.writeUInt32LE(
    body.reduce((sum, { length }) => sum + length, 0),
    4,
  )
  return [lengths, words, ...body]
}

/** Takes a stream's chunks and gives each frame as soon as it is whole. Throws for what is none. */
export function readFrames(take: (frame: Frame) => void): (chunk: Buffer) => void {
  let [chunks, size, wanted]: [Buffer[], number, number] = [[], 0, prefix]
  const joined = () => {
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    chunks = [bytes]
    return bytes
  }
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    while (size >= wanted) {
      const bytes = joined()
      const words = prefix + bytes.readUInt32LE(0)
      const end = words + bytes.readUInt32LE(4)
      if (end > mostBytes) throw new Error('a frame is too large')
      wanted = end
      if (size < end) return
      take({ head: JSON.parse(bytes.toString('utf8', prefix, words)), body: bytes.subarray(words, end) })
      ;[chunks, size, wanted] = [[bytes.subarray(end)], size - end, prefix]
    }
  }
}

/** Two JPEGs without metadata; width and height are the upright pixels of `photo`. */
export type ProcessedPhoto = { photo: Buffer; thumbnail: Buffer; width: number; height: number }

/** Pixels of a stored photo's longer edge. */
export const photoEdge = 2560
/** Characters of the decoder's own words that are kept, for the log. */
const mostWords = 300

/** The body has the photo, then the thumbnail. Read strictly: hostile bytes made it. */
const Head = z.union([
  z.object({
    width: z.int().min(1).max(photoEdge),
    height: z.int().min(1).max(photoEdge),
    photo: z.int().min(1),
    thumbnail: z.int().min(1),
  }),
  z.object({ refused: z.enum(photoProblems), words: z.string().max(mostWords) }),
])

/** The photo and its thumbnail, or why there are none: another error is one of reading them. */
function answerWith(outcome: ProcessedPhoto | Error): Buffer[] {
  if (outcome instanceof Error) {
    const refused = outcome instanceof PhotoRefused ? outcome.problem : 'photo_unreadable'
    const { message } = outcome.cause instanceof Error ? outcome.cause : outcome
    return framed({ refused, words: message.slice(0, mostWords) })
  }
  const { photo, thumbnail, width, height } = outcome
  return framed({ width, height, photo: photo.length, thumbnail: thumbnail.length }, photo, thumbnail)
}

/**
 * The photo and thumbnail of an answer. Throws PhotoRefused, and any other error for what is no
 * answer of a decoder in its senses.
 */
export function photosOf({ head, body }: Frame): ProcessedPhoto {
  const answer = Head.parse(head)
  if ('refused' in answer) throw new PhotoRefused(answer.refused, { cause: new Error(answer.words) })
  const { photo, thumbnail, width, height } = answer
  if (photo + thumbnail !== body.length) throw new Error('the sizes do not add up')
  return { photo: body.subarray(0, photo), thumbnail: body.subarray(photo), width, height }
}

/**
 * The life of a decoder's process: answers each photo that comes on its standard input, one at a
 * time, until that ends, which it does with the service at the latest.
 */
export function answerPhotos(decode: (bytes: Buffer) => Promise<ProcessedPhoto>): void {
  const write = (parts: Buffer[]) => parts.forEach((part) => void process.stdout.write(part))
  const answer = async (bytes: Buffer) =>
    write(answerWith(await decode(bytes).catch((error: Error) => error)))
  // At once: an ordinary exit would wait for the photo being decoded.
  const end = () => process.kill(process.pid, 'SIGKILL')
  process.stdin.on(
    'data',
    readFrames(({ body }) => void answer(body)),
  )
  process.stdin.on('end', end)
  process.stdin.on('error', end)
  process.stdout.on('error', end)
  // Sent to the whole group: the service ends it when the last upload was answered.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  write(framed({ ready: true }))
}
