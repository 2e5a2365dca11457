import { randomBytes } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isHeld, writeClaim } from './claims.js'
import { identify } from './processes.js'

/** Records that this process uses the server; answers the function that gives the lease up (idempotent). */
export async function takeLease(folder: string): Promise<() => Promise<void>> {
  const me = (await identify(process.pid))!
  const path = join(folder, `${me.pid}-${randomBytes(4).toString('hex')}`)
  await writeClaim(path, me)
  return () => unlink(path).catch(() => undefined)
}

/** How many leases living processes hold; those of dead ones are removed and do not count. */
export async function countLeases(folder: string): Promise<number> {
  const paths = (await readdir(folder)).map((name) => join(folder, name))
  const held = await Promise.all(paths.map(isHeld))
  const left = paths.filter((_, index) => !held[index])
  await Promise.all(left.map((path) => unlink(path).catch(() => undefined)))
  return paths.length - left.length
}
