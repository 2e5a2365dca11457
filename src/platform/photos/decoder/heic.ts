import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { heicStructure } from '../heicStructure.js'
import { PhotoRefused } from '../photoRefused.js'
import { photoEdge } from './protocol.js'

type Handle = { readonly handle: unique symbol }
type Failure = { code: object; message: string }
type Pixels = { channels: { width: number; height: number; stride: number; data: Uint8Array }[] }

/** What is used of libheif, in its build for WebAssembly. */
type Libheif = {
  heif_error_code: { heif_error_Ok: object }
  heif_colorspace: { heif_colorspace_RGB: object }
  heif_chroma: { heif_chroma_interleaved_RGB: object; heif_chroma_interleaved_RGBA: object }
  heif_context_alloc: () => object
  heif_context_read_from_memory: (context: object, bytes: Uint8Array) => Failure
  heif_js_context_get_primary_image_handle: (context: object) => Handle | Failure
  heif_image_handle_has_alpha_channel: (handle: Handle) => number
  heif_js_decode_image2: (handle: Handle, space: object, chroma: object) => Promise<Pixels | Failure>
}

/** Libheif, where it is installed; null where it is not. */
export type LoadLibheif = () => Libheif | null

/** An optional dependency: what it costs, in size and licence, is its operator's choice. */
export const loadLibheif: LoadLibheif = () => {
  const load = createRequire(import.meta.url)
  try {
    const program = load.resolve('libheif-js/libheif-wasm/libheif.js')
    const wasmBinary = readFileSync(program.replace(/\.js$/, '.wasm'))
    // Standard output belongs to the answers.
    const [print, printErr] = [() => undefined, () => undefined]
    return load(program)({ wasmBinary, print, printErr })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/** A phone's 24 megapixels with what its tiles have over: 12 megapixels take 230 MB, these 360. */
const mostPixels = 30e6
const mostEdge = 24_000

/**
 * The photo in a HEIC, no larger than we keep it, as a PNG with its colour profile. Libheif turns
 * it upright by what the file says ('irot', 'imir'); the orientation in Exif repeats that, and is
 * left behind. Throws PhotoRefused.
 */
export async function pngOfHeic(bytes: Buffer, load: LoadLibheif): Promise<Buffer> {
  const structure = heicStructure(bytes)
  if (!structure) throw new PhotoRefused('photo_unreadable')
  const { pixels, edge, profile, primaries } = structure
  if (pixels > mostPixels || edge > mostEdge) throw new PhotoRefused('photo_too_many_pixels')
  const libheif = load()
  if (!libheif) throw new PhotoRefused('photo_heic')
  const { data, width, height, channels } = await decodePixels(libheif, bytes)
  const png = await sharp(data, { raw: { width, height, channels } })
    .resize({ width: photoEdge, height: photoEdge, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return withProfile(png, profile ?? (await profileOf(primaries)))
}

async function decodePixels(libheif: Libheif, bytes: Buffer) {
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = libheif.heif_chroma
  const context = libheif.heif_context_alloc()
  const read = libheif.heif_context_read_from_memory(context, bytes)
  if (read.code !== libheif.heif_error_code.heif_error_Ok) throw unreadable(read)
  const handle = libheif.heif_js_context_get_primary_image_handle(context)
  if ('code' in handle) throw unreadable(handle)
  const hasAlpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0
  const decoded = await libheif.heif_js_decode_image2(
    handle,
    libheif.heif_colorspace.heif_colorspace_RGB,
    hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
  )
  if ('code' in decoded) throw unreadable(decoded)
  const { width, height, stride, data } = decoded.channels[0]!
  const channels = hasAlpha ? (4 as const) : (3 as const)
  return { data: packed(data, stride, width * channels), width, height, channels }
}

const unreadable = ({ message }: Failure) =>
  new PhotoRefused('photo_unreadable', { cause: new Error(message) })

/** The rows without what fills them up to the next round address. */
function packed(data: Uint8Array, stride: number, row: number): Buffer {
  const all = Buffer.from(data.buffer, data.byteOffset, data.length)
  if (stride === row) return all
  return Buffer.concat(
    Array.from({ length: all.length / stride }, (_, y) => all.subarray(y * stride, y * stride + row)),
  )
}

/** The number of Display P3, in which phones take pictures (ISO/IEC 23091-2). */
const displayP3 = 12

async function profileOf(primaries: number | null): Promise<Buffer | null> {
  if (primaries !== displayP3) return null
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
  const png = await dot.withIccProfile('p3').png().toBuffer()
  return (await sharp(png).metadata()).icc ?? null
}

/** Bytes of a PNG's signature and header, which a profile has to follow. */
const pngHeader = 33

function withProfile(png: Buffer, profile: Buffer | null): Buffer {
  if (!profile) return png
  const body = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), chunk.length - 4)
  return Buffer.concat([png.subarray(0, pngHeader), chunk, png.subarray(pngHeader)])
}

/** PNG's checksum. Not every Node.js 22 has one of its own. */
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return ~sum >>> 0
}
