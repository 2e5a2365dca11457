import { readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holderOf, isHeld, writeClaim } from './claims.js'
import { type Identity, identify } from './processes.js'

/** Old generations kept, so that a slow reader of the folder cannot miss every newer one. */
const KEPT = 8

type Generation = { number: number; name: string }

/**
 * Runs `work` while nobody else, in this or another process, does so with the same (existing) folder.
 * A holder that was killed is noticed by its identity. Throws after `waitMs`, naming the holder's pid.
 *
 * Each holder claims the next number, which only one can create, and the highest number is never taken
 * back: two that find the same dead holder cannot both follow it. Decision 5.2.
 */
export async function withMutex<T>(folder: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const claimed = await acquire(folder, waitMs)
  try {
    return await work()
  } finally {
    // A claim that cannot be given back (the folder is gone) ends with this process.
    await rename(claimed, `${claimed}.free`).catch(() => undefined)
  }
}

async function acquire(folder: string, waitMs: number): Promise<string> {
  const me = (await identify(process.pid))!
  const until = Date.now() + waitMs
  for (;;) {
    const claimed = await tryToClaim(folder, me)
    if (claimed !== undefined) return claimed
    if (Date.now() > until) throw new Error(await waitedTooLong(folder, waitMs))
    await sleep(25)
  }
}

async function tryToClaim(folder: string, me: Identity): Promise<string | undefined> {
  const top = (await generations(folder)).at(-1)
  if (top !== undefined && !isFree(top) && (await isHeld(join(folder, top.name)))) return undefined
  const number = (top?.number ?? 0) + 1
  const path = join(folder, String(number))
  if (!(await writeClaim(path, me))) return undefined
  const all = await generations(folder)
  if (!all.some((other) => other.number >= number && other.name !== String(number))) {
    await forget(folder, all, number - KEPT)
    return path
  }
  // Decided on an old view of the folder: others have come and gone since.
  await unlink(path)
  return undefined
}

async function generations(folder: string): Promise<Generation[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+(\.free)?$/.test(name))
  const all = names.map((name) => ({ name, number: Number.parseInt(name, 10) }))
  // A claim beside the freed one of the same number sorts last: it counts until its maker takes it away.
  return all.sort((a, b) => a.number - b.number || b.name.length - a.name.length)
}

function isFree({ name }: Generation): boolean {
  return name.endsWith('.free')
}

async function forget(folder: string, all: Generation[], below: number): Promise<void> {
  const old = all.filter(({ number }) => number < below)
  await Promise.all(old.map(({ name }) => unlink(join(folder, name)).catch(() => undefined)))
}

async function waitedTooLong(folder: string, waitMs: number): Promise<string> {
  const top = (await generations(folder)).at(-1)
  const holder = top && (await holderOf(join(folder, top.name)))
  const who = holder ? `process ${holder.pid}` : 'another process'
  return `Waited ${waitMs / 1000} s for ${who}, which is starting or stopping the private PostgreSQL.`
}
