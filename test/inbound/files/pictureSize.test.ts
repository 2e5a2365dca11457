import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { pictureSize } from '../../../src/inbound/files/pictureSize.js'

const pictures = {
  png: () => drawn(4).png(),
  gif: () => drawn(3).gif(),
  jpeg: () => drawn(3).jpeg(),
  'progressive jpeg': () => drawn(3).jpeg({ progressive: true }),
  'jpeg with a colour profile': () => drawn(3).withIccProfile('p3').jpeg(),
  webp: () => drawn(3).webp(),
  'webp without loss': () => drawn(3).webp({ lossless: true }),
  'webp with transparency': () => drawn(4).webp(),
}

describe('the size that a picture claims', () => {
  it.each(Object.entries(pictures))(
    'is read of a %s, and of none that is cut off before it',
    async (_what, make) => {
      const bytes = await make().toBuffer()
      expect(pictureSize(bytes)).toEqual({ width: 130, height: 70 })
      const sizes = Array.from({ length: bytes.length }, (_, length) =>
        pictureSize(bytes.subarray(0, length)),
      )
      expect(sizes[9]).toBe(null)
      expect(sizes.filter((size) => size && (size.width !== 130 || size.height !== 70))).toEqual([])
    },
  )

  it('is of no other file', () => {
    expect(pictureSize(Buffer.from('%PDF-1.7 and more'))).toBe(null)
    expect(pictureSize(Buffer.alloc(0))).toBe(null)
  })
})

function drawn(channels: 3 | 4) {
  return sharp({
    create: { width: 130, height: 70, channels, background: { r: 90, g: 80, b: 70, alpha: 0.5 } },
  })
}
