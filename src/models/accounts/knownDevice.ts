import { createHash } from 'node:crypto'
import { query } from '../../database.js'

/** What is stored of a browser's cookie: it tells nobody that two people share a browser. */
export function knownDeviceHash(userId: number, device: string): Buffer {
  return createHash('sha256').update(`${userId}:${device}`).digest()
}

/** Whether this user has signed in with this browser before; null is no user, at the same cost. */
export async function isKnownDevice(userId: number | null, device: string): Promise<boolean> {
  const hash = knownDeviceHash(userId ?? 0, device)
  const found = await query('select from known_devices where user_id = $1 and device_hash = $2', [
    userId,
    hash,
  ])
  return found.length > 0
}
