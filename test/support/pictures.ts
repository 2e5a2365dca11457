import sharp from 'sharp'
import { drawsOf } from './run/random.js'

/** A small real picture of one colour, in a format browsers send. */
export async function picture(format: 'jpeg' | 'png' | 'webp' = 'jpeg', colour = '#3a6'): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer()
}

/** A JPEG of noise, always the same, as nothing else makes a file as large as a camera does. */
export function cameraPhoto(
  width: number,
  height: number,
  { sigma = 20, quality = 80 } = {},
): Promise<Buffer> {
  const { number } = drawsOf(2026)
  const wide = sigma * Math.sqrt(12)
  const pixels = Uint8ClampedArray.from({ length: width * height * 3 }, () => 128 + (number() - 0.5) * wide)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
}

/** A multipart body: fields, and files under photos[]. */
export function multipart(
  fields: Record<string, string>,
  files: { bytes: Buffer; name?: string; type?: string }[] = [],
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const { bytes, name = 'photo.jpg', type = 'image/jpeg' } of files) {
    form.append('photos[]', new File([new Uint8Array(bytes)], name, { type }))
  }
  return form
}
