import sharp from 'sharp'
import { type StoredPhoto, storePhotos } from '../actions/incidents/photos.js'
import { type Drawing, drawn } from './drawings/index.js'

const svg = { operation: ['VipsForeignLoadSvgBuffer'] }

/** Drawings through the pipeline every upload takes, into the store (decision 2.12); one after the other. */
export async function takePhotos(names: readonly Drawing[]): Promise<StoredPhoto[]> {
  const pictures: Buffer[] = []
  for (const name of names) pictures.push(await rendered(name))
  return storePhotos(pictures)
}

/**
 * A drawing as a PNG of 1600 × 1200. Uploads keep every decoder but those of photos shut for the whole process: SVG is
 * open only while one of our own drawings is read, so drawings must be rendered one at a time.
 */
export async function rendered(name: Drawing): Promise<Buffer> {
  sharp.unblock(svg)
  try {
    return await sharp(Buffer.from(drawn(name)))
      .png({ compressionLevel: 1 })
      .toBuffer()
  } finally {
    sharp.block(svg)
  }
}
