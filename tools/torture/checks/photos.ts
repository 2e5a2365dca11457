import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import type { Query } from '../../../src/platform/db/database.js'

type Photo = { path: string; bytes: number; width: number; height: number }

/**
 * Photos without their bytes, and with bytes no one can read. `folder`: the local photo store's.
 */
export async function photoFaults(query: Query, folder: string): Promise<string[]> {
  const photos = await query<Photo>(`
    select p.path, p.bytes, p.width, p.height from photos p
    join incidents i on i.id = p.incident_id and i.title like 'Fault%'`)
  const faults: string[] = []
  for (const photo of photos) {
    const fault = await faultOf(folder, photo)
    if (fault) faults.push(`photo ${photo.path}: ${fault}`)
  }
  return faults
}

async function faultOf(folder: string, { path: name, bytes, width, height }: Photo): Promise<string | null> {
  const [file, thumbnail] = [path.join(folder, name), path.join(folder, `${name}.thumb.jpg`)]
  if (!existsSync(file)) return 'has a row and no bytes'
  if (!existsSync(thumbnail)) return 'has no thumbnail'
  const content = readFileSync(file)
  if (content.length !== bytes) return `has ${content.length} of ${bytes} bytes`
  try {
    const { info } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
    await sharp(readFileSync(thumbnail)).raw().toBuffer()
    return info.width === width && info.height === height ? null : `is ${info.width} × ${info.height}`
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`
  }
}

/**
 * Bytes in the store that no row names, after tidying had its time: nothing collects them any more.
 */
export async function orphanFaults(query: Query, folder: string): Promise<string[]> {
  const photoRows = await query<{ path: string }>(
    'select path from photos union select path from held_email_photos union select path from staged_photos',
  )
  const known = new Set(photoRows.map((row) => row.path))
  return filesIn(folder)
    .filter((file) => /^[0-9a-f]{2}\//.test(file) && !known.has(file.replace(/\.thumb\.jpg$/, '')))
    .map((file) => `${file} has bytes and no row, and tidying leaves it`)
}

/** The files in a photo folder, by their paths in it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}
