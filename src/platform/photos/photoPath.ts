import { randomBytes } from 'node:crypto'

const photoPath = /^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}\.jpg(?:\.thumb\.jpg)?$/

/** An unguessable path of 128 random bits in two levels of folders, e.g. "3f/9a/3f9a….jpg". */
export function newPhotoPath(): string {
  const name = randomBytes(16).toString('hex')
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.jpg`
}

/** The path of a photo's thumbnail (spec: suffix `.thumb.jpg`). */
export const thumbnailOf = (path: string): string => `${path}.thumb.jpg`

/** The photo this path is of, or is the thumbnail of. */
export const photoOf = (path: string): string => path.replace(/\.thumb\.jpg$/, '')

/** Exactly the paths of `newPhotoPath` and `thumbnailOf`; no other reaches a store. */
export function isPhotoPath(path: string): boolean {
  return photoPath.test(path)
}
