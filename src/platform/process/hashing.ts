import { createHash, timingSafeEqual } from 'node:crypto'

/** SHA-256: what is stored instead of a secret drawn at random. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether two texts are equal, in constant time for texts of one length. */
export function equalTexts(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
