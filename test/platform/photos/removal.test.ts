import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { removeOldEmails } from '../../../src/platform/mail/emailFolder.js'
import { removeStaleFiles } from '../../../src/platform/process/files.js'
import { log } from '../../../src/platform/process/log.js'
import { newFolder } from '../../support/run/folders.js'

let folder: string

beforeEach(makeOldFiles)
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

describe('an old file that cannot be deleted', () => {
  it.each([
    ['emails', () => removeOldEmails(folder)],
    ['uploads', () => removeStaleFiles(folder, 1_000)],
  ])('keeps no other from being deleted, and nothing from starting: %s', async (_what, remove) => {
    keep(names[0]!)
    expect(await remove()).toBe(2)
    expect(await fsPromises.readdir(folder)).toEqual([names[0]])
    expect(await remove()).toBe(0)
  })

  it('is in the log once at most', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    keep(...names)
    for (let i = 0; i < 3; i++) expect(await removeOldEmails(folder)).toBe(0)
    expect(warn.mock.calls.length).toBeLessThanOrEqual(1)
  })
})

const names = [1, 2, 3].map((n) => `2026-11-21T07-00-00Z-${n}.abc.eml`)

async function makeOldFiles(): Promise<void> {
  folder = newFolder()
  for (const name of names) {
    await fsPromises.writeFile(path.join(folder, name), '')
    await fsPromises.utimes(path.join(folder, name), 0, 0)
  }
}

/**
 * Files of this name cannot be deleted, whoever asks; `rm` fails as for a folder
 * that another account owns.
 */
function keep(...kept: string[]) {
  const { rm } = fsPromises
  vi.spyOn(fsPromises, 'rm').mockImplementation(async (file, options) => {
    if (kept.includes(path.basename(String(file))))
      throw Object.assign(new Error(`EACCES: permission denied, unlink '${file}'`), { code: 'EACCES' })
    return rm(file, options)
  })
  syncBuiltinESMExports()
}
