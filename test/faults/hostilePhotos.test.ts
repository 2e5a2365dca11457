import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { decodersLost } from '../../src/platform/photos/photoProcessor.js'
import { useHouse } from '../support/house/house.js'
import { expectBare } from '../support/photos/cleanPhoto.js'
import { decodersOf, mostMemory } from '../support/photos/decoders.js'
import { hostileHeics } from '../support/photos/heicSamples.js'
import { sample, samples } from '../support/photos/samples.js'
import { cameraPhoto, multipart } from '../support/pictures.js'
import { perRun } from '../support/run/extent.js'
import { withoutProcesses } from '../support/run/processes.js'

const house = useHouse()
let sent = 0

describe('a hostile file', () => {
  const formats = ['jpeg', 'png', 'webp', 'avif'] as const

  /** Valid pictures cut off at 24 places each, most of them near their beginning and their end. */
  const truncated = formats.flatMap((format) =>
    Array.from({ length: 24 }, (_, n) => {
      const part = n < 8 ? n / 100 : n < 16 ? 0.1 + (n - 8) / 10 : 1 - (n - 15) / 100
      return [format, part] as const
    }),
  )

  // All in the whole run; of each outcome a few in the quick one.
  it.each(
    ['stored', 'photo_type', 'photo_unreadable', 'photo_too_many_pixels'].flatMap((outcome) =>
      perRun({
        quick: { every: 6 },
        whole: [...samples, ...hostileHeics].filter((each) => each[1] === outcome),
      }),
    ),
  )('is refused by its name, or stored as nothing but a picture: %s, %s', async (_what, outcome, bytes) => {
    expect(await reportWith(bytes())).toMatch(outcome === 'stored' ? /^stored$/ : /“file \d+\.jpg”/)
  })

  it.each(perRun({ quick: { every: 20 }, whole: truncated }))(
    'that is no whole picture is refused: %s, %f of it',
    async (format, part) => {
      const whole = await sharp(await cameraPhoto(96, 64))
        .toFormat(format)
        .toBuffer()
      const problem = await reportWith(whole.subarray(0, Math.floor(part * whole.length)))
      expect(problem).toMatch(/couldn’t read|could not be read|is empty|is not a JPEG|too many pixels/)
    },
  )

  it('is one or the other, whatever is damaged', async () => {
    const seeds = [
      'plain-jpeg',
      'progressive-jpeg',
      'interlaced-png',
      'png-with-palette',
      'webp-and-php-program',
      'webp-without-loss',
      'animated-webp',
      'avif-with-alpha',
      'jpeg-with-every-kind-of-segment',
    ]
    const edit = fc.tuple(fc.integer({ min: 0, max: 9_999 }), fc.nat(255))
    const damage = fc.record({
      seed: fc.constantFrom(...seeds.map(sample)),
      edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
      // Headers are where decoders fail: half of the edits go there.
      within: fc.constantFrom(0.2, 1),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ seed, edits, within }) => {
        const bytes = Buffer.from(seed)
        for (const [at, value] of edits) bytes[Math.floor((at / 10_000) * within * bytes.length)] = value
        await reportWith(bytes)
      }),
      { numRuns: perRun({ quick: 40, whole: 200 }), seed: 20_261_122, endOnFailure: true },
    )
  })

  // Only Linux shows what a process has used.
  it.skipIf(withoutProcesses)('takes no more memory than the decoder is given', () => {
    const [decoder] = decodersOf()
    if (decoder) expect(mostMemory(decoder)).toBeLessThan(400)
  })
})

/**
 * Sends it as a photo of a report, and looks at what became of it: a bare picture of
 * bounded size, or a refusal.
 */
async function reportWith(bytes: Buffer): Promise<'stored' | string> {
  const name = `file ${++sent}.jpg`
  const answer = await house.ask('manager', '/api/incidents', {
    body: multipart({ assetId: '2', title: 'Dark', severity: 'low' }, [{ bytes, name }]),
  })
  const answerJson = (await answer.json()) as { photos: { path: string }[]; errors?: { photos: string[] } }
  expect([201, 413, 415, 422]).toContain(answer.status)
  expect(decodersLost()).toEqual({ start: 0, crashed: 0, late: 0 })
  if (answer.status !== 201) {
    expect(answerJson.errors!.photos).toEqual([expect.stringContaining(`“${name}”`)])
    return answerJson.errors!.photos[0]!
  }
  for (const path of answerJson.photos.flatMap((photo) => [photo.path, `${photo.path}.thumb.jpg`])) {
    const stored = Buffer.from(await (await house.ask('guest', `/api/photos/${path}`)).arrayBuffer())
    await expectBare(stored)
    const { width, height } = await sharp(stored).metadata()
    expect(Math.max(width, height)).toBeLessThanOrEqual(path.endsWith('.thumb.jpg') ? 480 : 2560)
  }
  return 'stored'
}
