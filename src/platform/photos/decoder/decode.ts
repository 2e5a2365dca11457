import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { estimateStructure, photoFormat } from '../photoFormat.js'
import { PhotoRefused } from '../photoRefused.js'
import { loadLibheif, pngOfHeic } from './heic.js'
import { type ProcessedPhoto, photoEdge } from './protocol.js'

/** For photos decoded in strips: a phone's 50 megapixels take 100 MB at the peak. */
const mostPixels = 50e6
/** For photos decoded whole. Bytes a pixel: JPEG and PNG 9, WebP 2, AVIF 25; 250 MB at most. */
const mostPixelsWhole: Record<keyof typeof estimateStructure, number> = {
  jpeg: 25e6,
  png: 25e6,
  webp: 50e6,
  avif: 10e6,
}
/** Strips are as wide as the photo: 20,000 pixels (a panorama) take 250 MB, a million 600 MB. */
const mostEdge = 24_000

/** Lists show thumbnails at most 240 CSS pixels wide: 480 for dense screens. */
const thumbnailEdge = 480

const reading: SharpOptions = {
  // 'warning' would refuse many Samsung photos ("Invalid SOS parameters"); 'error' still refuses a
  // file that lacks a part of its picture, and decodes damaged ones as far as a browser would.
  failOn: 'error',
  limitInputPixels: mostPixels,
  limitInputChannels: 5,
  sequentialRead: true,
  pages: 1,
  unlimited: false,
}

// For the whole process: no other format may be decoded anywhere. Buffers only, so that the decoded
// bytes are the inspected ones even if the file changes.
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

/**
 * Inspects, decodes once, turns upright and encodes again as sRGB on white; both results are new
 * JPEGs (decision 2.12). Throws PhotoRefused. Native code that hostile bytes may crash: for a
 * decoder's process only.
 */
export async function decodePhoto(sent: Buffer, load = loadLibheif): Promise<ProcessedPhoto> {
  const sentAs = photoFormat(sent)
  const format = sentAs === 'heic' ? 'png' : sentAs
  const bytes = sentAs === 'heic' ? await pngOfHeic(sent, load) : sent
  await inspect(bytes, format)
  const { data: photo, info } = await decode(bytes)
  const thumbnail = await shrunk(photo, thumbnailEdge).jpeg({ quality: 72 }).toBuffer()
  return { photo, thumbnail, width: info.width, height: info.height }
}

/** Checks all that is known before decoding: the decoder cannot be interrupted. */
async function inspect(bytes: Buffer, format: keyof typeof estimateStructure): Promise<void> {
  const { isExcessive, isDecodedWhole, largestPixels } = estimateStructure[format](bytes)
  if (isExcessive) throw new PhotoRefused('photo_unreadable')
  const header = await readHeader(bytes)
  const { width, height } = header
  const limit = isDecodedWhole || header.isProgressive ? mostPixelsWhole[format] : mostPixels
  const fits = Math.max(width * height, largestPixels) <= limit && Math.max(width, height) <= mostEdge
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
  return sharp(bytes, reading).resize(inside)
}
