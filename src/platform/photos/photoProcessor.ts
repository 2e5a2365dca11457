import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { limits } from '../../vocabulary/limits.js'
import { compiledFile } from '../process/config.js'
import { limitConcurrency } from '../process/limitConcurrency.js'
import { log } from '../process/log.js'
import { DecoderLost, type DecoderOptions, decoder } from './decoder/decoder.js'
import { type ProcessedPhoto, photosOf } from './decoder/protocol.js'
import { type PhotoFormat, photoFormat } from './photoFormat.js'
import { PhotoRefused } from './photoRefused.js'

/**
 * One core stays free for requests: on two cores, one decoder keeps a small answer's p99 at 1.2–1.5
 * × idle, two at 1.8–3.4 ×, four at 6 ×. More than two cost memory and save no time.
 */
export const photosAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))

/**
 * Longest queue: 40 × 0.4 s (12 megapixels) still end within the 30 s that proxies allow a request.
 * HEIC takes five times as long; phones send it by email, where nobody waits, or make a JPEG of it.
 */
export const photosWaiting = 40

/**
 * Decoders run compiled code, as Node 20 cannot load TypeScript. What is set here counts for the
 * next process; tests set another script.
 */
export const usualDecoder: DecoderOptions = {
  script: compiledFile('platform/photos/decoder/main'),
  // The dearest photos take 5 s of a core, which a busy machine may not have at once.
  deadline: 60_000,
  // The dearest photos take 250 MB; an idle decoder has 120, mostly never touched.
  memory: 512,
}

/**
 * Processes photos in other processes, `photosAtOnce` of them. Tests give decoders of their own.
 */
export function photoProcessor(options = usualDecoder) {
  const inTurn = limitConcurrency({
    atOnce: photosAtOnce,
    waiting: photosWaiting,
    refusal: () => new PhotoRefused('photo_busy'),
  })
  const decoders = Array.from({ length: photosAtOnce }, () => decoder(options))
  const free = [...decoders]
  /** Decoders that were lost since the start, by why. */
  const losses = { start: 0, crashed: 0, late: 0 }

  async function decodeOnce(bytes: Buffer, format: PhotoFormat): Promise<ProcessedPhoto> {
    const freeDecoder = free.pop()!
    try {
      const answer = await freeDecoder.ask(bytes)
      // WebAssembly, which decodes HEIC, gives no memory back while its process runs.
      if (format === 'heic') freeDecoder.end()
      return photosOf(answer)
    } catch (error) {
      if (error instanceof PhotoRefused) throw error
      freeDecoder.end()
      throw error instanceof DecoderLost ? error : new DecoderLost('crashed', (error as Error).message)
    } finally {
      free.push(freeDecoder)
    }
  }

  /** Twice where the decoder crashed: perhaps someone ended it, and the photo is fine. */
  async function decodeWithRetry(bytes: Buffer, format: PhotoFormat, tries = 2): Promise<ProcessedPhoto> {
    try {
      return await decodeOnce(bytes, format)
    } catch (error) {
      if (!(error instanceof DecoderLost)) throw error
      losses[error.why] += 1
      log[error.why === 'start' ? 'error' : 'warn'](
        { why: error.why, words: error.message, bytes: bytes.length },
        'photo decoder lost',
      )
      if (error.why === 'start') throw new PhotoRefused('photo_busy', { cause: error })
      if (error.why === 'crashed' && tries > 1) return decodeWithRetry(bytes, format, tries - 1)
      throw new PhotoRefused('photo_unreadable', { cause: error })
    }
  }

  return {
    /**
     * A photo and its thumbnail as new JPEGs (decision 2.12). Throws PhotoRefused for a bad file or
     * a full queue, a system error for an unreadable path.
     */
    process: (source: string | Buffer): Promise<ProcessedPhoto> =>
      inTurn(async () => {
        const bytes = typeof source === 'string' ? await readPhoto(source) : source
        refuseBySize(bytes.length)
        // What is no photo costs no process.
        return decodeWithRetry(bytes, photoFormat(bytes))
      }),
    load: inTurn.load,
    losses: () => ({ ...losses }),
    end: () => {
      for (const each of decoders) each.end()
    },
  }
}

const processor = photoProcessor()
/** Processes one upload, a path or its bytes; the rest as `photoProcessor` says. */
export const processPhoto = processor.process
/** How many photos are worked on, and how many wait for it. */
export const photoLoad = processor.load
/** How often a decoder was lost since the start: it did not start, crashed, or took too long. */
export const decodersLost = processor.losses
/** Ends the decoders; the next photo starts another. */
export const stopDecoding = async (): Promise<void> => processor.end()

async function readPhoto(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    refuseBySize((await file.stat()).size)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

function refuseBySize(size: number): void {
  if (size === 0) throw new PhotoRefused('photo_empty')
  if (size > limits.photoBytes) throw new PhotoRefused('photo_too_large')
}
