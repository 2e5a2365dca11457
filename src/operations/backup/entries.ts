import { isPhotoPath } from '../../platform/photos/photoPath.js'

/** The first entry. */
export const manifestEntry = 'manifest.json'
/** The last entry but one: what was written. */
export const endingEntry = 'end.json'
/** The last entry, without which an archive counts as cut short. */
export const checksumsEntry = 'SHA256SUMS'

export const tableEntry = (table: string, n: number) => `tables/${table}/${String(n).padStart(6, '0')}.copy`

/** The table an entry holds rows of; null for any other entry. */
export const tableOf = (entry: string) => /^tables\/([a-z0-9_]+)\/\d{6,}\.copy$/.exec(entry)?.[1] ?? null

export const photoEntry = (path: string) => `photos/${path}`
/** The path of the photo or thumbnail an entry holds; null for any other entry. */
export function archivedPhoto(entry: string): string | null {
  const path = entry.startsWith('photos/') ? entry.slice('photos/'.length) : ''
  return isPhotoPath(path) ? path : null
}

/** What the JSON of an entry means; null for what is none. */
export function jsonOrNull(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}
