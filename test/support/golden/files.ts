import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const accept = 'npm run golden -- --update'

/**
 * Compares texts with the files of a folder, by their names. Fails with the difference of each
 * file, and with the names of missing files and of those that nothing belongs to. `update`:
 * rewrites the folder first.
 */
export function expectGolden(
  folder: string,
  texts: ReadonlyMap<string, string>,
  update = process.env.GOLDEN_UPDATE !== undefined,
): void {
  if (update) write(folder, texts)
  const existing = existsSync(folder) ? readdirSync(folder) : []
  expect(
    {
      missing: [...texts.keys()].filter((name) => !existing.includes(name)),
      leftOver: existing.filter((name) => !texts.has(name)),
    },
    `golden files of ${folder}; to accept what is new: ${accept}`,
  ).toEqual({ missing: [], leftOver: [] })
  for (const name of existing)
    expect
      .soft(texts.get(name), `${folder}/${name}; to accept this change: ${accept}`)
      .toBe(readFileSync(path.join(folder, name), 'utf8'))
}

function write(folder: string, texts: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of texts) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
}
