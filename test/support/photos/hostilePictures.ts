import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** What every polyglot and metadata field carries: none of it may be found in a stored picture. */
export const marker = 'Zq-Canary-7f3a'

/** One JPEG segment: marker byte, length, payload. */
export function segment(code: number, ...payload: (string | Buffer | number[])[]): Buffer {
  const body = Buffer.concat(payload.map((part) => Buffer.from(part as Buffer)))
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** The JPEG with further segments right after its first two bytes. */
export function withSegments(jpeg: Buffer, ...segments: Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

/** APP1 with an Exif directory: orientation, 300 dpi, the artist, and the position of the flat. */
export function exifSegment(orientation: number): Buffer {
  return segment(0xe1, 'Exif\0\0', exifDirectory(orientation))
}

/** The same directory without a JPEG around it: what PNG keeps in eXIf and WebP in EXIF. */
export function exifDirectory(orientation: number): Buffer {
  const artist = Buffer.from(`${marker} Artist\0`)
  const main = 8
  const gps = main + 2 + 12 * 5 + 4
  const texts = gps + 2 + 12 * 2 + 4
  const directories = [
    tiffDirectory([
      [0x0112, 3, 1, orientation << 16],
      [0x011a, 5, 1, texts + artist.length],
      [0x011b, 5, 1, texts + artist.length],
      [0x013b, 2, artist.length, texts],
      [0x8825, 4, 1, gps],
    ]),
    tiffDirectory([
      [0x0001, 2, 2, 0x4e000000],
      [0x0002, 5, 1, texts + artist.length],
    ]),
  ]
  return Buffer.concat([Buffer.from('MM\0*\0\0\0\x08'), ...directories, artist, numbers(300, 1)])
}

function tiffDirectory(entries: [tag: number, type: number, count: number, value: number][]): Buffer {
  const fields = entries.map(([tag, type, count, value]) => {
    const field = Buffer.alloc(12)
    field.writeUInt16BE(tag, 0)
    field.writeUInt16BE(type, 2)
    field.writeUInt32BE(count, 4)
    field.writeUInt32BE(value, 8)
    return field
  })
  return Buffer.concat([Buffer.from([0, entries.length]), ...fields, numbers(0)])
}

/** Big-endian 32-bit numbers in a row. */
export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** Every place a JPEG can hide text in: Exif, XMP, IPTC, a broken colour profile, a comment, a free segment. */
export function jpegFullOfMetadata(jpeg: Buffer): Buffer {
  return withSegments(
    jpeg,
    exifSegment(1),
    segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', `<x:xmpmeta>${marker}</x:xmpmeta>`),
    segment(
      0xed,
      'Photoshop 3.0\x008BIM\x04\x04\0\0',
      numbers(marker.length + 6),
      [0x1c, 2, 80, 0, marker.length],
      marker,
    ),
    segment(0xe2, 'ICC_PROFILE\0', [1, 1], marker),
    segment(0xfe, marker),
    segment(0xe9, marker),
  )
}

/**
 * What newer phones write: the picture, and behind it a second JPEG that says how bright a screen may show it. Announced
 * twice, by XMP and by an index of pictures, or decoders take it for a plain JPEG with something behind it.
 */
export function jpegWithGainMap(jpeg: Buffer, gainMap: Buffer): Buffer {
  const values =
    'GainMapMin="0" GainMapMax="2" Gamma="1" OffsetSDR="0.01" OffsetHDR="0.01" HDRCapacityMin="0" '
  const second = withSegments(
    gainMap,
    gainMapXmp(`${values} HDRCapacityMax="2"`.replaceAll(/\b(?=\w+=)/g, 'hdrgm:')),
  )
  const picture = (semantic: string, rest = '') =>
    `<rdf:li rdf:parseType="Resource"><C:Item I:Semantic="${semantic}" I:Mime="image/jpeg"${rest}/></rdf:li>`
  const items = picture('Primary') + picture('GainMap', ` I:Length="${second.length}"`)
  const list = gainMapXmp('', `<C:Directory><rdf:Seq>${items}</rdf:Seq></C:Directory>`)
  const size = jpeg.length + list.length + pictureIndex(0, 0, 0).length
  const index = pictureIndex(size, second.length, size - (2 + list.length + 8))
  return Buffer.concat([withSegments(jpeg, list, index), second])
}

function gainMapXmp(attributes: string, content = ''): Buffer {
  const google = 'http://ns.google.com/photos/1.0/container/'
  const spaces = `xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:C="${google}" xmlns:I="${google}item/"`
  const description = `<rdf:Description ${spaces} hdrgm:Version="1.0" ${attributes}>${content}</rdf:Description>`
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF>`
  return segment(
    0xe1,
    'http://ns.adobe.com/xap/1.0/\0',
    `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta>`,
  )
}

/** APP2 "MPF": two pictures, their sizes, and where the second begins, counted from the byte-order mark. */
function pictureIndex(first: number, second: number, offset: number): Buffer {
  const directory = tiffDirectory([
    [0xb000, 7, 4, 0x30313030],
    [0xb001, 4, 1, 2],
    [0xb002, 7, 32, 50],
  ])
  const entries = numbers(0x030000, first, 0, 0, 0, second, offset, 0)
  return segment(0xe2, 'MPF\0', 'MM\0*\0\0\0\x08', directory, entries)
}

/** One PNG chunk with a right checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([numbers(data.length), named, numbers(crc32(named))])
}

/** The PNG with further chunks right after its header chunk. */
export function withChunks(png: Buffer, ...chunks: Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
}

/** A PNG with a script in each kind of text chunk, and the Exif of a phone. */
export function pngFullOfMetadata(png: Buffer): Buffer {
  const script = `<script>/*${marker}*/</script>`
  return withChunks(
    png,
    chunk('tEXt', Buffer.from(`Comment\0${script}`)),
    chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${script}`)),
    chunk('zTXt', Buffer.concat([Buffer.from('Title\0\0'), deflateSync(script)])),
    chunk('eXIf', exifDirectory(1)),
  )
}

/** The WebP with an Exif and an XMP chunk. `webp` must have the extended header that pictures with alpha have. */
export function webpFullOfMetadata(webp: Buffer): Buffer {
  const flags = Buffer.from(webp)
  flags[20] = flags[20]! | 0x0c
  const whole = Buffer.concat([
    flags,
    riffChunk('EXIF', exifDirectory(1)),
    riffChunk('XMP ', Buffer.from(marker)),
  ])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

function riffChunk(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
}

/** A PNG of any claimed size: true colour unless told otherwise, the given pixels, complete and well-formed. */
export function pngOf(
  width: number,
  height: number,
  pixels: Buffer,
  depth = 8,
  colour = 2,
  interlaced = 0,
): Buffer {
  const header = Buffer.concat([numbers(width, height), Buffer.from([depth, colour, 0, 0, interlaced])])
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** 900 megapixels of one bit in a file of some 100 kB. */
export function pngBomb(): Buffer {
  const edge = 30_000
  return pngOf(edge, edge, deflateSync(Buffer.alloc((edge / 8 + 1) * edge), { level: 1 }), 1, 0)
}

/** The JPEG with another size in its frame header. */
export function jpegClaiming(jpeg: Buffer, width: number, height: number): Buffer {
  const frame = jpeg.findIndex(
    (byte, at) => byte === 0xff && (jpeg[at + 1] === 0xc0 || jpeg[at + 1] === 0xc2),
  )
  const claimed = Buffer.from(jpeg)
  claimed.writeUInt16BE(height, frame + 5)
  claimed.writeUInt16BE(width, frame + 7)
  return claimed
}

/**
 * A progressive JPEG, grey, that is valid and small and takes one pass over all its blocks per scan: first every
 * coefficient with 13 bits missing, then each missing bit. `scans` is at most 883.
 */
export function jpegOfManyScans(edge: number, scans: number): Buffer {
  const blocks = Math.ceil(edge / 8) ** 2
  const oneCode = [1, ...Array<number>(15).fill(0)]
  const size = [edge >> 8, edge & 255, edge >> 8, edge & 255]
  // One symbol of one bit: "the next 16,384 blocks hold nothing".
  const nothing = Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8))
  const passes = Array.from({ length: 14 * 63 }, (_, pass) => {
    const missing = 13 - Math.floor(pass / 63)
    const coefficient = 1 + (pass % 63)
    const before = missing === 13 ? 0 : missing + 1
    return Buffer.concat([segment(0xda, [1, 1, 0, coefficient, coefficient, before * 16 + missing]), nothing])
  })
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0], Array<number>(64).fill(16)),
    segment(0xc2, [8, ...size, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00], oneCode, [0]),
    segment(0xc4, [0x10], oneCode, [0xe0]),
    segment(0xda, [1, 1, 0, 0, 0, 0]),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...passes.slice(0, scans - 1),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** What some phones write: a baseline scan whose last-coefficient field says 0 instead of 63. */
export function jpegOfCarelessPhone(jpeg: Buffer): Buffer {
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  const careless = Buffer.from(jpeg)
  careless[scan + 2 + jpeg.readUInt16BE(scan + 2) - 2] = 0
  return careless
}

/** The first box of a HEIF file with these brands, and room for what would follow. */
export function heifStart(...brands: string[]): Buffer {
  const [major, ...others] = brands
  const size = 16 + others.length * 4
  return Buffer.concat([
    numbers(size),
    Buffer.from(`ftyp${major}\0\0\0\0${others.join('')}`),
    Buffer.alloc(200),
  ])
}

/** The AVIF, every box of the named kind renamed to another: a reference to tiles, for instance. */
export function renamedBoxes(avif: Buffer, from: string, to: string): Buffer {
  return Buffer.from(avif.toString('latin1').replaceAll(from, to), 'latin1')
}

/** The AVIF with another size in its last size property: the transparency's, when it has its own. */
export function avifClaiming(avif: Buffer, width: number, height: number): Buffer {
  const claimed = Buffer.from(avif)
  numbers(width, height).copy(claimed, avif.lastIndexOf('ispe') + 8)
  return claimed
}

/** The AVIF with the size of one more part in it, as transparency of another size than the picture would have. */
export function avifWithPart(avif: Buffer, width: number, height: number): Buffer {
  const size = Buffer.concat([numbers(20), Buffer.from('ispe'), numbers(0, width, height)])
  return Buffer.concat([avif, numbers(8 + size.length), Buffer.from('free'), size])
}

const html = `<!doctype html><script>/*${marker}*/</script>`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${marker}</script></svg>`

/** Files that are no photo at all, whatever their name says. */
export const notPhotos: Record<string, Buffer> = {
  'an SVG': Buffer.from(svg),
  'an SVG with a declaration and a byte order mark': Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`),
  'an HTML page': Buffer.from(html),
  'a GIF that is also a script': Buffer.from(`GIF89a/*${'\0'.repeat(20)}*/=1;/*${marker}*/`, 'latin1'),
  'a PDF': Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
  'a bitmap': Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]),
  'a TIFF': Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), Buffer.alloc(200)]),
  'a ZIP archive': Buffer.from('PK\x03\x04', 'latin1'),
  'a film': heifStart('isom', 'mp42'),
  'a JPEG 2000 picture': Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'),
  'a JPEG XL picture': Buffer.from('\xff\x0a\xff\xff', 'latin1'),
  'a libvips picture': Buffer.from('\x08\xf2\xa6\xb6'.padEnd(80, '\0'), 'latin1'),
  'plain text': Buffer.from('the lift is broken'),
  'one byte': Buffer.from([0xff]),
  'four letters': Buffer.from('ftyp'),
  'a sound in a RIFF file': Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'),
}

/** Things attackers append to a picture that stays a valid picture. */
export const appendices: Record<string, Buffer> = {
  'a PHP program': Buffer.from(`<?php system('${marker}'); ?>`),
  'an HTML page': Buffer.from(html),
  'a ZIP archive': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.from(marker.repeat(20))]),
  'a second JPEG': Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xfe, marker),
    Buffer.from([0xff, 0xd9]),
  ]),
}

/** A picture of soft shapes and noise, the same on every call; `edge` pixels wide, two thirds of that high. */
export function picture(edge = 96): Sharp {
  const width = edge
  const height = Math.round((edge * 2) / 3)
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * 7 + (at % 13) * 11 + (at >> 6) * 3) & 255
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** An animation of `frames` frames, each of one colour, the first one red. */
export function animatedWebp(frames: number, edge = 16): Promise<Buffer> {
  const pixels = Buffer.alloc(edge * edge * 3 * frames)
  for (let at = 0; at < edge * edge * frames; at += 1)
    pixels[at * 3 + (Math.floor(at / (edge * edge)) % 3)] = 255
  const raw = { width: edge, height: edge * frames, channels: 3, pageHeight: edge } as const
  return sharp(pixels, { raw }).webp({ lossless: true }).toBuffer()
}
