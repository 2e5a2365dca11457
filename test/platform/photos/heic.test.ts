import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import {
  decodersLost,
  photoProcessor,
  processPhoto,
  stopDecoding,
  usualDecoder,
} from '../../../src/platform/photos/photoProcessor.js'
import { PhotoRefused } from '../../../src/platform/photos/photoRefused.js'
import { compiledFile } from '../../support/compiled.js'
import { expectBare } from '../../support/photos/cleanPhoto.js'
import { decodersOf } from '../../support/photos/decoders.js'
import {
  corners,
  exif,
  grid,
  heicFile,
  mirrored,
  ofDisplayP3,
  tile,
  turned,
  withProfile,
} from '../../support/photos/heicFiles.js'
import { hostileHeics } from '../../support/photos/heicSamples.js'
import { marker, sample } from '../../support/photos/samples.js'
import { picture } from '../../support/pictures.js'
import { perRun } from '../../support/run/extent.js'
import { withoutProcesses } from '../../support/run/processes.js'

afterAll(stopDecoding)

describe('a HEIC', () => {
  it('becomes a photo and a thumbnail, without what the file says of its maker', async () => {
    const bytes = sample('heic-with-thumbnail')
    expect(bytes.includes(marker)).toBe(true)
    const { photo, thumbnail, width, height } = await processPhoto(bytes)
    expect([width, height]).toEqual([320, 240])
    expect(await cornersOf(photo)).toBe('red green blue grey')
    for (const jpeg of [photo, thumbnail]) await expectBare(jpeg)
  })

  it.each([
    ['nothing', [], 1, [120, 80], 'red green blue grey'],
    ['a quarter against the clock', [turned(1)], 8, [80, 120], 'green grey red blue'],
    ['half a turn', [turned(2)], 3, [120, 80], 'grey blue green red'],
    ['a quarter with the clock', [turned(3)], 6, [80, 120], 'blue red grey green'],
    ['left and right', [mirrored('left and right')], 2, [120, 80], 'green red grey blue'],
    ['above and below', [mirrored('above and below')], 4, [120, 80], 'blue grey red green'],
  ] as const)('is turned once, by its own word, not by Exif as well: %s', async (...row) => {
    const [, more, orientation, size, colours] = row
    const result = await processPhoto(heicFile([corners({ more: [...more] }), exif(orientation)]))
    expect([result.width, result.height]).toEqual(size)
    for (const jpeg of [result.photo, result.thumbnail]) expect(await cornersOf(jpeg)).toBe(colours)
  })

  it('of tiles is put together, cut to its size and turned, as phones write it', async () => {
    const tiles = [tile(), tile(), tile(), tile()]
    const whole = grid([2, 2], [128, 96], [2, 3, 4, 5], { more: [turned(3)] })
    const { photo, width, height } = await processPhoto(heicFile([whole, ...tiles, exif(6)]))
    expect([width, height]).toEqual([96, 128])
    expect(await meanOf(photo)).not.toEqual(await meanOf((await processPhoto(tileAlone())).photo))
  })

  it.each([
    ['heic-with-alpha', [255, 255, 255]],
    ['heic-of-10-bits', [199, 60, 39]],
    ['grey-heic', [128, 128, 128]],
    ['heic-of-odd-size', [200, 60, 40]],
    // Pure green of sRGB, written in Display P3.
    ['heic-with-profile', [4, 255, 0]],
  ])('has its colours: %s', async (name, wanted) => {
    const mean = await meanOf((await processPhoto(sample(name))).photo)
    expect(Math.max(...wanted.map((value, i) => Math.abs(value - mean[i]!)))).toBeLessThanOrEqual(3)
  })

  it('of Display P3 by number has the same colours as with its profile', async () => {
    const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    const profiled = await dot.withIccProfile('p3').png().toBuffer()
    const profile = (await sharp(profiled).metadata()).icc!
    const [plain, numbered, withOne] = await Promise.all(
      [[], [ofDisplayP3], [withProfile(profile)]].map(async (more) =>
        meanOf((await processPhoto(heicFile([corners({ more })]))).photo),
      ),
    )
    expect(numbered).toEqual(withOne)
    expect(numbered).not.toEqual(plain)
  })

  // Only Linux shows processes.
  it.skipIf(withoutProcesses)('ends its decoder, which would keep the memory', async () => {
    await processPhoto(await picture())
    const before = decodersOf()
    await processPhoto(sample('plain-heic'))
    const after = await processPhoto(await picture())
    expect(after.width).toBe(64)
    expect(decodersOf()).not.toEqual(before)
    expect(decodersLost()).toEqual({ start: 0, crashed: 0, late: 0 })
  })
})

const tileAlone = () => heicFile([tile()])

describe('a hostile HEIC', () => {
  it.each(hostileHeics)('is refused, or nothing but a picture: %s', async (_what, outcome, bytes) => {
    const result = await processPhoto(bytes()).catch((error) => error)
    if (outcome === 'stored') await expectBare(result.photo)
    else expect(result.problem).toBe(outcome)
    expect(decodersLost()).toEqual({ start: 0, crashed: 0, late: 0 })
  })

  it('that was cut off is refused wherever it was', async () => {
    const whole = sample('heic-with-thumbnail')
    const step = Math.ceil(whole.length / perRun({ quick: 6, whole: 100 }))
    for (let length = 24; length < whole.length; length += step)
      expect(await problemOf(whole.subarray(0, length)), `${length} bytes`).toBe('photo_unreadable')
  })

  it('is processed or refused, whatever is damaged', async () => {
    const seeds = ['plain-heic', 'heic-with-alpha', 'heic-with-thumbnail', 'heic-of-odd-size'].map(sample)
    const edit = fc.tuple(fc.integer({ min: 24, max: 9_999 }), fc.nat(255))
    const damage = fc.record({
      seed: fc.constantFrom(...seeds, heicFile([grid([2, 1], [128, 64], [2, 3]), tile(), tile()])),
      edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
    })
    const seen = { processed: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(damage, async ({ seed, edits }) => {
        const bytes = Buffer.from(seed)
        for (const [at, value] of edits) bytes[Math.floor((at / 10_000) * bytes.length)] = value
        const outcome = await processPhoto(bytes).catch((error) => error)
        seen[outcome instanceof PhotoRefused ? 'refused' : 'processed'] += 1
        if (!(outcome instanceof PhotoRefused)) await expectBare(outcome.photo)
      }),
      { numRuns: perRun({ quick: 6, whole: 80 }), seed: 20_261_127, endOnFailure: true },
    )
    expect(seen.refused).toBeGreaterThan(0)
    expect(decodersLost()).toEqual({ start: 0, crashed: 0, late: 0 })
  })
})

describe('without the package that decodes HEIC', () => {
  it('a HEIC is refused as what it is, and other photos are processed', async () => {
    const script = await compiledFile('test/support/photos/decoderWithoutLibheif.ts')
    const { process, losses, end } = photoProcessor({ ...usualDecoder, script })
    await expect(process(sample('plain-heic'))).rejects.toMatchObject({ problem: 'photo_heic' })
    expect(await process(await picture())).toMatchObject({ width: 64 })
    expect(losses()).toEqual({ start: 0, crashed: 0, late: 0 })
    end()
  })
})

async function problemOf(bytes: Buffer): Promise<string> {
  const outcome = await processPhoto(bytes).catch((error) => error)
  return outcome instanceof PhotoRefused ? outcome.problem : `not refused: ${outcome}`
}

const names = { red: [230, 20, 20], green: [20, 230, 20], blue: [20, 20, 230], grey: [240, 240, 240] }

/** The colours of the corners by name: above left and right, then below. */
async function cornersOf(jpeg: Buffer): Promise<string> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  const nameAt = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3
    const near = (colour: number[]) => colour.every((value, i) => Math.abs(value - data[at + i]!) < 12)
    return Object.entries(names).find(([, colour]) => near(colour))?.[0] ?? 'another'
  }
  return [nameAt(0.1, 0.1), nameAt(0.9, 0.1), nameAt(0.1, 0.9), nameAt(0.9, 0.9)].join(' ')
}

async function meanOf(jpeg: Buffer): Promise<number[]> {
  const { channels } = await sharp(jpeg).stats()
  return channels.map(({ mean }) => Math.round(mean))
}
