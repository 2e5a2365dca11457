import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const accept = 'npm run golden -- --update'

/**
 * Holds texts to the files of a folder, by their names below it; with `update` the files become what the texts are. Fails
 * with the difference of each file that is not as it should be, missing or left over.
 */
export function expectGolden(
  folder: string,
  texts: ReadonlyMap<string, string>,
  update = process.env.GOLDEN_UPDATE !== undefined,
): void {
  if (update) write(folder, texts)
  const kept = existsSync(folder) ? readdirSync(folder) : []
  expect(
    {
      missing: [...texts.keys()].filter((name) => !kept.includes(name)),
      leftOver: kept.filter((name) => !texts.has(name)),
    },
    `golden files of ${folder}; to accept what is new: ${accept}`,
  ).toEqual({ missing: [], leftOver: [] })
  for (const name of kept)
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
