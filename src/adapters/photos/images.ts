import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { limitConcurrency } from '../system/limitConcurrency.js'
import { type PhotoFormat, PhotoRefused, photoFormat, structure } from './photoFormat.js'

export { type PhotoProblem, PhotoRefused } from './photoFormat.js'

/** Two JPEGs without any metadata; width and height are the pixels of `photo`, upright. */
export type ProcessedPhoto = { photo: Buffer; thumbnail: Buffer; width: number; height: number }

/** Bytes of one uploaded file (decision 2.12). */
export const maxPhotoBytes = 10 * 1024 * 1024

/**
 * One core is left to answer requests. On two cores, decoding one at a time keeps the p99 of a small answer at
 * 1.2–1.5 × idle, two at once at 1.8–3.4 ×, four at once at 6 ×. More than two costs memory, not time.
 */
export const photosAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Longest queue: 40 × 0.4 s (12 megapixels) still ends within the 30 s a router grants a request. */
export const photosWaiting = 40

/** Of a picture decoded in strips: a 50-megapixel phone costs 100 MB at the peak. */
const mostPixels = 50e6
/** Of one its decoder holds whole: 9 bytes a pixel for JPEG and PNG, 2 for WebP, 25 for AVIF; 250 MB at the peak. */
const mostPixelsHeld: Record<PhotoFormat, number> = { jpeg: 25e6, png: 25e6, webp: 50e6, avif: 10e6 }
/** Strips are as wide as the picture: at 20,000 pixels, the widest panoramas, they take 250 MB; at a million, 600. */
const mostEdge = 24_000

const photoEdge = 2560
/** Lists show thumbnails 240 CSS pixels wide at most: 480 for dense screens. */
const thumbnailEdge = 480

const reading: SharpOptions = {
  // 'warning' refuses what many Samsung phones write ("Invalid SOS parameters"); 'error' still refuses a
  // file that lacks its last byte, and decodes a damaged one as far as a browser would.
  failOn: 'error',
  limitInputPixels: mostPixels,
  limitInputChannels: 5,
  sequentialRead: true,
  pages: 1,
  unlimited: false,
}

// Process-wide on purpose: nothing in this service may decode any other format. Only buffers, so that what was
// inspected is what is decoded, whatever happens to the file meanwhile.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
})
sharp.cache(false)
sharp.concurrency(1)

const inTurn = limitConcurrency({
  atOnce: photosAtOnce,
  waiting: photosWaiting,
  refusal: () => new PhotoRefused('photo_busy'),
})

/**
 * The one pipeline for web, mobile and mail (decision 2.12): inspects, decodes once, turns upright, converts to
 * sRGB on white and encodes anew; the thumbnail is made from the new picture, so no original byte gets past the
 * first decoder. Same input, same output. A report's photos are best given one after the other: each call that
 * waits holds one of `photosWaiting` places (and its Buffer, if given one instead of a path).
 * @throws PhotoRefused whenever the file is at fault or the queue is full; a system error if the path cannot be read
 */
export async function processPhoto(source: string | Buffer): Promise<ProcessedPhoto> {
  return inTurn(async () => {
    const bytes = typeof source === 'string' ? await readPhoto(source) : source
    refuseBySize(bytes.length)
    await inspect(bytes)
    const { data: photo, info } = await decode(bytes)
    const thumbnail = await shrunk(photo, thumbnailEdge).jpeg({ quality: 72 }).toBuffer()
    return { photo, thumbnail, width: info.width, height: info.height }
  })
}

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
  if (size > maxPhotoBytes) throw new PhotoRefused('photo_too_large')
}

/** Everything that can be known before a pixel is decoded: the decoder cannot be interrupted once it runs. */
async function inspect(bytes: Buffer): Promise<void> {
  const format = photoFormat(bytes)
  const { excessive, held, pixels } = structure[format](bytes)
  if (excessive) throw new PhotoRefused('photo_unreadable')
  const header = await readHeader(bytes)
  const { width, height } = header
  const limit = held || header.isProgressive ? mostPixelsHeld[format] : mostPixels
  const fits = Math.max(width * height, pixels) <= limit && Math.max(width, height) <= mostEdge
  if (!fits) throw new PhotoRefused('photo_too_many_pixels')
  const expected = format === 'avif' ? header.compression === 'av1' : header.format === format
  if (!expected) throw new PhotoRefused('photo_unreadable')
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  try {
    return await sharp(bytes, { ...reading, limitInputPixels: false }).metadata()
  } catch (cause) {
    throw new PhotoRefused('photo_unreadable', { cause })
  }
}

async function decode(bytes: Buffer) {
  try {
    const upright = shrunk(bytes, photoEdge).autoOrient().flatten({ background: '#fff' })
    return await upright.jpeg({ quality: 82 }).toBuffer({ resolveWithObject: true })
  } catch (cause) {
    throw new PhotoRefused('photo_unreadable', { cause })
  }
}

function shrunk(bytes: Buffer, edge: number) {
  const inside = { width: edge, height: edge, fit: 'inside', withoutEnlargement: true } as const
  return sharp(bytes, reading).timeout({ seconds: 10 }).resize(inside)
}
