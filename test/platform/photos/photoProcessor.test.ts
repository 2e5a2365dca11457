import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Loaded here too, for what it forbids the process it is loaded in.
import '../../../src/platform/photos/decoder/decode.js'
import type { ProcessedPhoto } from '../../../src/platform/photos/decoder/protocol.js'
import {
  photoLoad,
  photosAtOnce,
  photosWaiting,
  processPhoto,
  stopDecoding,
} from '../../../src/platform/photos/photoProcessor.js'
import { PhotoRefused } from '../../../src/platform/photos/photoRefused.js'
import { limits } from '../../../src/vocabulary/limits.js'
import { expectBare } from '../../support/photos/cleanPhoto.js'
import { begunBy, decodersOf, mostMemory } from '../../support/photos/decoders.js'
import { looks, marker, sample, samples } from '../../support/photos/samples.js'
import { cameraPhoto, picture } from '../../support/pictures.js'
import { perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'
import { withoutProcesses } from '../../support/run/processes.js'
import { drawing } from '../../support/run/random.js'

afterAll(stopDecoding)

describe('a photo that is accepted', () => {
  it('becomes a picture of at most 2560 pixels and a thumbnail of at most 480', async () => {
    const result = await processPhoto(await flat('#123456', 3000, 2000).jpeg().toBuffer())
    const thumbnail = await sharp(result.thumbnail).metadata()
    expect(await sharp(result.photo).metadata()).toMatchObject({ width: 2560, height: 1707, format: 'jpeg' })
    expect(result).toMatchObject({ width: 2560, height: 1707 })
    expect(thumbnail).toMatchObject({ width: 480, height: 320, format: 'jpeg' })
  })

  it('is never enlarged', async () => {
    const { width, height, thumbnail } = await processPhoto(await picture('png'))
    expect([width, height]).toEqual([64, 48])
    expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 64, height: 48 })
  })

  it('may be one pixel, or 20,000 by 10', async () => {
    expect(await processPhoto(await flat('#123456', 1, 1).png().toBuffer())).toMatchObject({
      width: 1,
      height: 1,
    })
    const wide = await processPhoto(await flat('#123456', 20_000, 10).jpeg().toBuffer())
    expect(wide).toMatchObject({ width: 2560, height: 1 })
    expect(await sharp(wide.thumbnail).metadata()).toMatchObject({ width: 480, height: 1 })
  })

  it('may be a file, whatever its name', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'invoice.pdf'), await picture('webp'))
    const result = await processPhoto(join(folder, 'invoice.pdf'))
    await expectClean(result)
  })

  it('gives the same bytes every time, from a file and from memory alike', async () => {
    const jpeg = await cameraPhoto(700, 467)
    const [first, second] = [await processPhoto(jpeg), await processPhoto(Buffer.from(jpeg))]
    expect(first.photo.equals(second.photo) && first.thumbnail.equals(second.thumbnail)).toBe(true)
  })

  it.each(['jpeg-with-every-kind-of-segment', 'jpeg-with-gain-map'])(
    'gives bytes that do not depend on who took it, where, when, with what density or for which screen: %s',
    async (name) => {
      const [plain, full] = [await processPhoto(sample('plain-jpeg')), await processPhoto(sample(name))]
      expect(full.photo.equals(plain.photo) && full.thumbnail.equals(plain.thumbnail)).toBe(true)
    },
  )
})

describe('a file of somebody’s making', () => {
  it.each(perRun({ quick: { every: 4 }, whole: samples }))('%s: %s', async (_what, outcome, bytes) => {
    if (outcome === 'stored') await expectClean(await processPhoto(bytes()))
    else expect(await problemOf(bytes())).toBe(outcome)
  })

  it.each(Object.entries(looks))('%s looks as it should', async (name, { sent, width, height, colours }) => {
    if (sent) expect(await sharp(sample(name)).metadata()).toMatchObject(sent)
    const result = await processPhoto(sample(name))
    expect(result).toMatchObject({ width, height })
    for (const stored of [result.photo, result.thumbnail])
      for (const { at, is, within } of colours) expectColour(await colourAt(stored, ...at), is, within)
    await expectClean(result)
  })

  it('in colours a screen may not have is converted, not merely stripped of its profile', async () => {
    const pixels = await sharp(sample('green-jpeg-of-wide-gamut'), { ignoreIcc: true }).raw().toBuffer()
    expect(pixels[0]).toBeGreaterThan(100)
  })

  it('has in it what must not be stored', () => {
    const stored = samples.filter(([, outcome]) => outcome === 'stored')
    expect(stored.filter(([, , bytes]) => bytes().includes(marker)).length).toBeGreaterThan(24)
  })
})

describe('a file that is no photo', () => {
  it('has no decoder in a decoder’s process, even if it came past the first look', async () => {
    const gif = await flat('#c04020').gif().toBuffer()
    const tiff = await flat('#c04020').tiff().toBuffer()
    for (const bytes of [gif, tiff, sample('svg')]) await expect(sharp(bytes).metadata()).rejects.toThrow()
  })

  it('an empty file is refused, also as a path', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'empty.jpg'), '')
    expect(await problemOf(Buffer.alloc(0))).toBe('photo_empty')
    expect(await problemOf(join(folder, 'empty.jpg'))).toBe('photo_empty')
  })

  it('a path that does not exist is our fault, not the photo’s', async () => {
    await expect(processPhoto('/nowhere/at/all.jpg')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('size', () => {
  let jpeg: Buffer
  beforeAll(async () => {
    jpeg = await picture()
  })

  it('of exactly 10 MB is accepted, one byte more is refused', async () => {
    const padded = Buffer.concat([jpeg, Buffer.alloc(limits.photoBytes - jpeg.length)])
    await expectClean(await processPhoto(padded))
    expect(await problemOf(Buffer.concat([padded, Buffer.alloc(1)]))).toBe('photo_too_large')
  })

  it('of a file is looked at before it is read', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'endless.jpg'), jpeg)
    // Four gigabytes that take no room on the disk and fit into no Buffer.
    await truncate(join(folder, 'endless.jpg'), 4 * 1024 ** 3)
    expect(await problemOf(join(folder, 'endless.jpg'))).toBe('photo_too_large')
  })

  // Only Linux shows what a process has used.
  it.skipIf(withoutProcesses)('in pixels is limited before anything is decoded', async () => {
    // A decoder that has done nothing yet.
    await stopDecoding()
    const [decoder] = await begunBy(() => processPhoto(jpeg))
    const started = mostMemory(decoder!)
    const excessive = samples.filter(([, outcome]) => outcome === 'photo_too_many_pixels')
    for (const [, , bytes] of excessive) await problemOf(bytes())
    expect(decodersOf()).toContain(decoder)
    expect(mostMemory(decoder!) - started).toBeLessThan(100)
  })
})

describe('a damaged file', () => {
  // Without the end mark a JPEG still has the whole picture, and a PNG without its last chunk.
  it.each([
    ['jpeg', 3],
    ['png', 13],
    ['webp', 1],
    ['avif', 1],
  ] as const)('that is a truncated %s is refused wherever it was cut', async (format, least) => {
    const whole = await sharp(await cameraPhoto(96, 64))
      .toFormat(format)
      .toBuffer()
    const step = Math.max(1, Math.floor(whole.length / perRun({ quick: 3, whole: 40 })))
    for (let cut = least; cut < whole.length - 20; cut += cut < least + 6 ? 1 : step) {
      const problem = await problemOf(whole.subarray(0, whole.length - cut))
      expect(problem, `${cut} bytes short`).toMatch(/^photo_(unreadable|too_many_pixels)$/)
    }
  })

  it('keeps the decoder’s reason for the log', async () => {
    const jpeg = await cameraPhoto(96, 64)
    const refusal = await processPhoto(jpeg.subarray(0, -100)).catch((error) => error)
    expect(refusal.cause.message).toMatch(/premature end/)
  })

  it('is processed or refused, whatever the damage: 300 mutations', async () => {
    const seeds = [
      'plain-jpeg',
      'progressive-jpeg',
      'png-with-alpha',
      'webp-and-php-program',
      'webp-without-loss',
    ]
    const edit = fc.tuple(fc.integer({ min: 12, max: 9999 }), fc.nat(255))
    const mutation = fc.record({
      seed: fc.constantFrom(...seeds.map(sample)),
      edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
      // Headers are where decoders fail: half of the edits go there.
      within: fc.constantFrom(0.2, 1),
    })
    const seen = { processed: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(mutation, async ({ seed, edits, within }) => {
        const bytes = Buffer.from(seed)
        for (const [at, value] of edits) bytes[Math.floor((at / 10_000) * within * bytes.length)] = value
        const outcome = await processPhoto(bytes).catch((error) => error)
        const refused = outcome instanceof PhotoRefused
        seen[refused ? 'refused' : 'processed'] += 1
        if (!refused) await expectClean(outcome)
      }),
      { numRuns: perRun({ quick: 30, whole: 300 }), seed: 20_261_121, endOnFailure: true },
    )
    expect(Math.min(seen.processed, seen.refused)).toBeGreaterThan(perRun({ quick: 3, whole: 50 }))
  })

  it('of random bytes behind a valid signature is refused', async () => {
    const { number } = drawing()
    for (const start of [
      '\xff\xd8\xff\xe0',
      '\x89PNG\r\n\x1a\n',
      'RIFF\xff\0\0\0WEBPVP8 ',
      '\0\0\0\x1cftypavif',
    ]) {
      const bytes = Buffer.concat([
        Buffer.from(start, 'latin1'),
        Buffer.from(Uint8Array.from({ length: 3000 }, () => 256 * number())),
      ])
      expect(await problemOf(bytes)).toMatch(/^photo_(unreadable|too_many_pixels)$/)
    }
  })
})

describe('many at once', () => {
  /**
   * The outcomes, and how many pictures were worked on at the same moment at most,
   * or by how many processes.
   */
  async function together(calls: () => Promise<unknown>[]) {
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, photoLoad().running)
    }, 1)
    let outcomes: PromiseSettledResult<unknown>[] = []
    const decoders = await begunBy(async () => {
      outcomes = await Promise.allSettled(calls())
    })
    clearInterval(watch)
    return { most: Math.max(most, decoders.length), outcomes }
  }

  it('wait for their turn, and are refused once the queue is full', async () => {
    const jpeg = await cameraPhoto(400, 267)
    const places = photosAtOnce + photosWaiting
    const { most, outcomes } = await together(() =>
      Array.from({ length: places + 5 }, () => processPhoto(jpeg)),
    )
    const refused = outcomes
      .slice(-5)
      .map((outcome) => outcome.status === 'rejected' && outcome.reason.problem)
    expect(refused).toEqual(Array(5).fill('photo_busy'))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(places)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(Math.min(photosAtOnce, 2))
  })

  it('leave the queue as they found it, refused photos too', async () => {
    const calls = Array.from({ length: photosWaiting }, () => problemOf(Buffer.from('no photo')))
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['photo_type']))
    const jpeg = await cameraPhoto(400, 267)
    const { most, outcomes } = await together(() => Array.from({ length: 12 }, () => processPhoto(jpeg)))
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(most).toBeLessThanOrEqual(photosAtOnce)
  })
})

type Rgb = [number, number, number]

async function problemOf(source: string | Buffer): Promise<string> {
  const outcome = await processPhoto(source).catch((error) => error)
  return outcome instanceof PhotoRefused ? outcome.problem : `not refused: ${outcome}`
}

async function temporaryFolder(): Promise<string> {
  const folder = newFolder()
  return folder
}

/** The colour at a place given in hundredths of width and height. */
async function colourAt(jpeg: Buffer, x: number, y: number): Promise<Rgb> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  const at =
    (Math.floor((y / 100) * info.height) * info.width + Math.floor((x / 100) * info.width)) * info.channels
  return [data[at]!, data[at + 1]!, data[at + 2]!]
}

function expectColour(actual: Rgb, wanted: Rgb, tolerance = 12) {
  const distance = Math.max(...wanted.map((value, index) => Math.abs(value - actual[index]!)))
  expect(distance, `${actual} instead of ${wanted}`).toBeLessThanOrEqual(tolerance)
}

async function expectClean({ photo, thumbnail }: ProcessedPhoto) {
  for (const jpeg of [photo, thumbnail]) await expectBare(jpeg)
}

const flat = (background: string | object, width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: background as string } })
