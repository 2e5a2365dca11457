import { PhotoRefused } from './photoRefused.js'

/** The photo formats accepted; 'heic' is that of HEIF as well, where HEVC codes its pixels. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic'

/**
 * Scans of a progressive JPEG: each may cost 50 bytes and a pass (900 took 5 s); programs write 10.
 */
const mostScans = 100
/** Empty segments take 4 bytes each, and 25 times that in the decoder. */
const mostSegments = 1000
const mostAvifHeader = 1024 * 1024
const startOfScan = 0xda
const endOfImage = 0xd9

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1']

/** By content alone: the sender chooses the name and the declared type. */
export function photoFormat(bytes: Buffer): PhotoFormat {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF.{4}WEBP/s.test(start)) return 'webp'
  const brands = /^.{4}ftyp/s.test(start) ? fileBrands(bytes) : []
  if (brands.includes('avif')) return 'avif'
  if (brands.some((brand) => heicBrands.includes(brand))) return 'heic'
  throw new PhotoRefused('photo_type')
}

function fileBrands(bytes: Buffer): string[] {
  const text = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256))
  return text.match(/.{4}/gs) ?? []
}

type Structure = {
  /** It costs far more than its size. */
  isExcessive: boolean
  isDecodedWhole: boolean
  /** Pixels of the largest part; 0 where the header of the photo has them. */
  largestPixels: number
}

/** Estimates a photo's cost before any of it is decoded; `heicStructure` does so for HEIC. */
export const estimateStructure: Record<Exclude<PhotoFormat, 'heic'>, (bytes: Buffer) => Structure> = {
  jpeg: jpegStructure,
  png: () => ({ isExcessive: false, isDecodedWhole: false, largestPixels: 0 }),
  webp: () => ({ isExcessive: false, isDecodedWhole: false, largestPixels: 0 }),
  avif: avifStructure,
}

/** Walks the segments to the end of the first image; the rest is never decoded. */
function jpegStructure(bytes: Buffer): Structure {
  let segments = 0
  let scans = 0
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at] === 0xff ? bytes[at + 1]! : 0
    if (marker === endOfImage) break
    if (marker === startOfScan) scans += 1
    if (hasLength(marker)) segments += 1
    at += hasLength(marker) ? 2 + bytes.readUInt16BE(at + 2) : 1
  }
  return {
    isExcessive: segments > mostSegments || scans > mostScans,
    isDecodedWhole: scans > 1,
    largestPixels: 0,
  }
}

/** False for coded pixels, fill bytes, restarts and starts of image: they have no length field. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd8)
}

/**
 * An AVIF may hold more items (transparency, tiles) of any size, and name one item thousands of
 * times as a tile ('dimg'): unbounded work. Cameras and browsers write one colour item.
 */
function avifStructure(bytes: Buffer): Structure {
  const header = avifHeader(bytes)
  const isExcessive = header.length > mostAvifHeader || header.includes('dimg')
  let largestPixels = 0
  for (const { index } of isExcessive ? [] : header.toString('latin1').matchAll(/ispe(?=.{12})/gs)) {
    const pixels = header.readUInt32BE(index + 8) * header.readUInt32BE(index + 12)
    largestPixels = Math.max(largestPixels, pixels)
  }
  return { isExcessive, isDecodedWhole: true, largestPixels }
}

/** All boxes but the coded pixels ('mdat'), which contain any four letters by chance. */
function avifHeader(bytes: Buffer): Buffer {
  const boxes: Buffer[] = []
  let at = 0
  while (at + 8 <= bytes.length && bytes.readUInt32BE(at) >= 8 && boxes.length < 32) {
    const box = bytes.subarray(at, at + bytes.readUInt32BE(at))
    boxes.push(box.toString('latin1', 4, 8) === 'mdat' ? box.subarray(0, 8) : box)
    at += box.length
  }
  return Buffer.concat([...boxes, bytes.subarray(at)])
}
