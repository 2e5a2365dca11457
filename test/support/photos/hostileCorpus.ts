import { promisify } from 'node:util'
import { constants, deflate, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import {
  animatedWebp,
  appendices,
  avifClaiming,
  avifWithPart,
  chunk,
  exifDirectory,
  exifSegment,
  jpegClaiming,
  jpegFullOfMetadata,
  jpegOfCarelessPhone,
  jpegOfManyScans,
  jpegWithGainMap,
  marker,
  notPhotos,
  numbers,
  picture,
  pngFullOfMetadata,
  pngOf,
  renamedBoxes,
  segment,
  webpFullOfMetadata,
  withChunks,
  withSegments,
} from './hostilePictures.js'

/** A file as somebody may send it: what it is, and its bytes. */
export type Hostile = [what: string, bytes: () => Promise<Buffer> | Buffer]

const formats = ['jpeg', 'png', 'webp', 'avif'] as const
const plain = (edge = 96) => picture(edge)
const jpeg = () => plain().jpeg().toBuffer()
const png = () => plain().png().toBuffer()
const webp = () => plain().webp().toBuffer()
const avif = () => plain().avif().toBuffer()
const veiled = () => plain().ensureAlpha(0.5)
/** Off the event loop: connections of the test must not time out meanwhile. */
const zeros = (bytes: number) =>
  promisify(deflate)(Buffer.alloc(bytes), { level: constants.Z_BEST_SPEED }) as Promise<Buffer>

/** The WebP with another size of its canvas. Its header must be the extended one, as with alpha. */
function webpClaiming(bytes: Buffer, width: number, height: number): Buffer {
  const claimed = Buffer.from(bytes)
  claimed.writeUIntLE(width - 1, 24, 3)
  claimed.writeUIntLE(height - 1, 27, 3)
  return claimed
}

/** A GIF of one empty frame that claims a size. */
function gifClaiming(edge: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(edge, 0)
  size.writeUInt16LE(edge, 2)
  const head = Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    head,
    Buffer.from([0x2c, 0, 0, 0, 0]),
    size,
    Buffer.from([0, 2, 2, 0x4c, 1, 0, 0x3b]),
  ])
}

/** A PNG that is animated, by as many frames as named, each of which may hide text. */
function animatedPng(bytes: Buffer, frames: number): Buffer {
  const frame = (n: number) =>
    Buffer.concat([
      chunk('fcTL', Buffer.concat([numbers(n * 2, 96, 64, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])])),
      chunk('fdAT', Buffer.concat([numbers(n * 2 + 1), deflateSync(Buffer.from(marker))])),
    ])
  const end = bytes.subarray(-12)
  const all = Array.from({ length: frames }, (_, n) => frame(n))
  return Buffer.concat([
    withChunks(bytes.subarray(0, -12), chunk('acTL', numbers(frames + 1, 0))),
    ...all,
    end,
  ])
}

/** Exif with a thumbnail of its own, as cameras write: the picture as it was before it was cropped. */
async function exifWithThumbnail(): Promise<Buffer> {
  const small = withSegments(await picture(24).jpeg().toBuffer(), segment(0xfe, marker))
  const entries = Buffer.concat([
    Buffer.from([0, 0]),
    numbers(14),
    Buffer.from([0, 2]),
    Buffer.from([0x02, 0x01, 0, 4]),
    numbers(1, 44),
    Buffer.from([0x02, 0x02, 0, 4]),
    numbers(1, small.length),
    numbers(0),
  ])
  return Buffer.concat([Buffer.from('MM\0*\0\0\0\x08'), entries, small])
}

/** Small files that want far more than their size: in pixels, in memory, in work. */
const bombs: Hostile[] = [
  ['a PNG of 900 megapixels', async () => pngOf(30_000, 30_000, await zeros(3_751 * 30_000), 1, 0)],
  ['a PNG of 100 megapixels', async () => pngOf(10_000, 10_000, await zeros(1_251 * 10_000), 1, 0)],
  ['a PNG of 100 megapixels in true colour', async () => pngOf(10_000, 10_000, await zeros(30_001 * 10_000))],
  [
    'a PNG that claims 2,147,483,647 pixels each way',
    async () => pngOf(2 ** 31 - 1, 2 ** 31 - 1, await zeros(100)),
  ],
  ['a PNG a million pixels wide', async () => pngOf(1_000_000, 32, await zeros(100))],
  [
    'an interlaced PNG of 26 megapixels',
    async () => pngOf(5_100, 5_100, await zeros(15_301 * 5_100), 8, 2, 1),
  ],
  [
    'a PNG of 128 megabytes of text',
    async () => withChunks(await png(), chunk('zTXt', await deflated('Title'))),
  ],
  [
    'a PNG of 128 megabytes of colour profile',
    async () => withChunks(await png(), chunk('iCCP', await deflated('p'))),
  ],
  ['a PNG whose pixels inflate to 128 megabytes', async () => pngOf(64, 64, await zeros(2 ** 27))],
  [
    'a PNG of 20,000 empty chunks',
    async () => withChunks(await png(), ...Array(20_000).fill(chunk('tEXt', Buffer.from('a\0')))),
  ],
  ['a JPEG that claims 65,500 pixels each way', async () => jpegClaiming(await jpeg(), 65_500, 65_500)],
  ['a JPEG of 100 megapixels', () => grey(10_000).jpeg().toBuffer()],
  ['a progressive JPEG of 26 megapixels', () => grey(5_100).jpeg({ progressive: true }).toBuffer()],
  ['a JPEG of 883 scans', () => jpegOfManyScans(64, 883)],
  ['a JPEG of 1,100 segments', async () => withSegments(await jpeg(), ...Array(1_100).fill(segment(0xe1)))],
  [
    'a WebP that claims 16,383 pixels each way',
    async () => webpClaiming(await veiled().webp().toBuffer(), 16_383, 16_383),
  ],
  [
    'a WebP that claims 16,777,216 pixels each way',
    async () => webpClaiming(await veiled().webp().toBuffer(), 2 ** 24, 2 ** 24),
  ],
  ['an animation of 2,000 frames', () => animatedWebp(2_000, 64)],
  ['an AVIF that claims 16,384 pixels each way', async () => avifClaiming(await avif(), 16_384, 16_384)],
  ['an AVIF with a part of 268 megapixels', async () => avifWithPart(await avif(), 16_384, 16_384)],
  ['an AVIF of tiles', async () => renamedBoxes(await veiled().avif().toBuffer(), 'auxl', 'dimg')],
  ['a GIF that claims 65,535 pixels each way', () => gifClaiming(65_535)],
  ['an animated PNG', async () => animatedPng(await png(), 500)],
]

async function deflated(keyword: string): Promise<Buffer> {
  return Buffer.concat([Buffer.from(`${keyword}\0\0`), await zeros(2 ** 27)])
}

function grey(edge: number) {
  return sharp(Buffer.alloc(edge * edge), { raw: { width: edge, height: edge, channels: 1 } })
}

function flat(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#3a6' } })
}

/** Pictures that are something else as well, behind the picture, before it, or in a comment at its head. */
const polyglots: Hostile[] = [
  ...(['jpeg', 'png', 'webp', 'avif'] as const).flatMap((format) =>
    Object.entries(appendices).map(
      ([what, appendix]): Hostile => [
        `${format} and ${what}`,
        async () => Buffer.concat([await plain().toFormat(format).toBuffer(), appendix]),
      ],
    ),
  ),
  [
    'a JPEG and a PDF',
    async () => withSegments(await jpeg(), segment(0xfe, `%PDF-1.7\n1 0 obj\n<</${marker}>>\nendobj\n`)),
  ],
  [
    'a JPEG and a page',
    async () => withSegments(await jpeg(), segment(0xfe, `<html><script>${marker}</script><!--`)),
  ],
  // The length of its first segment reads as the beginning of a comment.
  [
    'a JPEG and a script',
    async () => withSegments(await jpeg(), segment(0xe0, `${'\0'.repeat(0x2f2a - 60)}*/=1;/*${marker}*/`)),
  ],
  [
    'a PNG and a page',
    async () => withChunks(await png(), chunk('tEXt', Buffer.from(`a\0<script>${marker}</script>`))),
  ],
  ['a page and then a JPEG', async () => Buffer.concat([Buffer.from(`<html>${marker}`), await jpeg()])],
  ...Object.entries(notPhotos).map(([what, bytes]): Hostile => [what, () => bytes]),
]

/** Everything a file can tell of who took it, where, when and with what. */
const metadata: Hostile[] = [
  ['a JPEG with every kind of segment', async () => jpegFullOfMetadata(await jpeg())],
  [
    'a JPEG with a thumbnail in its Exif',
    async () => withSegments(await jpeg(), segment(0xe1, 'Exif\0\0', await exifWithThumbnail())),
  ],
  ['a JPEG with a gain map', async () => jpegWithGainMap(jpegFullOfMetadata(await jpeg()), await jpeg())],
  [
    'a JPEG with a long XMP',
    async () =>
      withSegments(await jpeg(), segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', marker.repeat(100))),
  ],
  ['a PNG with every kind of chunk', async () => pngFullOfMetadata(await png())],
  [
    'a PNG with a time and a private chunk',
    async () =>
      withChunks(
        await png(),
        chunk('tIME', Buffer.from([7, 234, 11, 22, 1, 2, 3])),
        chunk('prVt', Buffer.from(marker)),
      ),
  ],
  ['a WebP with Exif and XMP', async () => webpFullOfMetadata(await veiled().webp().toBuffer())],
  ...formats.map(
    (format): Hostile => [
      `${format} as a common program writes it`,
      () =>
        plain()
          .toFormat(format)
          .withExif({ IFD0: { Artist: marker }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
          .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${marker}</x:xmpmeta>`)
          .withIccProfile('p3')
          .toBuffer(),
    ],
  ),
]

/** Valid pictures of every kind a camera, a scanner or a program makes. */
const kinds: Hostile[] = [
  ['a CMYK JPEG', () => plain().toColourspace('cmyk').jpeg().toBuffer()],
  ['a grey JPEG', () => plain().greyscale().jpeg().toBuffer()],
  ['a progressive JPEG', () => plain().jpeg({ progressive: true }).toBuffer()],
  ['a JPEG of 100 scans', () => jpegOfManyScans(64, 100)],
  ['a JPEG of a careless phone', async () => jpegOfCarelessPhone(await jpeg())],
  ['a PNG of 16 bits', () => plain().toColourspace('rgb16').png().toBuffer()],
  ['a PNG with a palette', () => plain().png({ palette: true, colours: 16 }).toBuffer()],
  ['an interlaced PNG', () => plain().png({ progressive: true }).toBuffer()],
  ['a PNG with alpha', () => veiled().png().toBuffer()],
  ['a WebP without loss', () => veiled().webp({ lossless: true }).toBuffer()],
  ['an animated WebP', () => animatedWebp(20)],
  ['an AVIF with alpha', () => veiled().avif().toBuffer()],
  ['a picture of 12 megapixels', () => flat(4_000, 3_000).jpeg().toBuffer()],
  ['a picture of one pixel', () => flat(1, 1).png().toBuffer()],
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 200].flatMap((flag): Hostile[] => [
    [`a JPEG turned by ${flag}`, async () => withSegments(await jpeg(), exifSegment(flag))],
    [`a PNG turned by ${flag}`, async () => withChunks(await png(), chunk('eXIf', exifDirectory(flag)))],
  ]),
]

/** Valid pictures cut off at 24 places each, most of them near their beginning and their end. */
const truncated: Hostile[] = formats.flatMap((format) =>
  Array.from({ length: 24 }, (_, n): Hostile => {
    const part = n < 8 ? n / 100 : n < 16 ? 0.1 + (n - 8) / 10 : 1 - (n - 15) / 100
    return [
      `${format} cut off at ${Math.round(part * 100)} %`,
      async () => {
        const whole = await plain().toFormat(format).toBuffer()
        return whole.subarray(0, Math.floor(part * whole.length))
      },
    ]
  }),
)

/** All of them, by what they try. */
export const corpus = { bombs, polyglots, metadata, kinds, truncated }

/** Valid pictures to damage. */
export const intact = (): Promise<Buffer[]> =>
  Promise.all([
    jpeg(),
    plain().jpeg({ progressive: true }).toBuffer(),
    png(),
    plain().png({ progressive: true, palette: true }).toBuffer(),
    webp(),
    veiled().webp({ lossless: true }).toBuffer(),
    animatedWebp(3),
    avif(),
    jpeg().then(jpegFullOfMetadata),
  ])
