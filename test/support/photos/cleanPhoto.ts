import sharp from 'sharp'
import { expect } from 'vitest'
import { marker } from './samples.js'

/**
 * The markers of a JPEG up to its scan; a metadata segment of any kind is an APPn
 * (e0–ef) or a comment (fe).
 */
function markersOf(jpeg: Buffer): number[] {
  const markers: number[] = []
  for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) markers.push(jpeg[at + 1]!)
  return markers
}

/** Fails unless these are bytes of a JPEG that holds pixels and nothing else. */
export async function expectBare(jpeg: Buffer): Promise<void> {
  expect(markersOf(jpeg).filter((code) => code >= 0xe0)).toEqual([])
  expect(jpeg.subarray(-2).toString('hex')).toBe('ffd9')
  for (const trace of [marker, 'Exif', '<?php', '<script', 'PK\x03\x04', 'ICC_PROFILE', 'http'])
    expect(jpeg.includes(trace, 0, 'latin1')).toBe(false)
  const { exif, xmp, icc, iptc, orientation, comments, format, space } = await sharp(jpeg).metadata()
  expect({ exif, xmp, icc, iptc, orientation, comments, format, space }).toEqual({
    format: 'jpeg',
    space: 'srgb',
  })
}
