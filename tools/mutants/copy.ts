import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { applied } from './candidates.js'
import type { Mutant } from './mutant.js'

/** A checkout of its own in which rules are taken out. */
export type Copy = {
  folder: string
  /** Takes the rule out while `work` runs. */
  without: <T>(mutant: Mutant, work: () => Promise<T>) => Promise<T>
  remove: () => void
}

/** What a copy does without. Packages are linked: no mutant changes them. */
const leftOut = ['.git', 'node_modules', 'data', 'coverage']

/** Copies a checkout, with what is compiled, into a temporary folder. */
export function copyOf(checkout: string): Copy {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'caretaker-mutants-')))
  // Tests start processes of other users in it where this one is root.
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  try {
    cpSync(checkout, folder, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (from) => !leftOut.includes(path.relative(checkout, from)),
    })
    symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'))
  } catch (error) {
    remove()
    throw error
  }
  return {
    folder,
    remove,
    without: async (mutant, work) => {
      const file = path.join(folder, mutant.file)
      const text = readFileSync(file, 'utf8')
      writeFileSync(file, applied(mutant, text))
      try {
        return await work()
      } finally {
        writeFileSync(file, text)
      }
    },
  }
}
