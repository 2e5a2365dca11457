import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Tests that ask the whole app: they hold what is true of every route, in whatever room. */
const throughTheApp = ['test/contract', 'test/every', 'test/anonymity']

/**
 * Tests that say nothing of what the product does (how code looks, these tools), or that only `npm
 * run test:all` runs.
 */
const leftOut = /^test\/(?:architecture|tools|support)\/|\/whole\//

/** Which files import which, in both directions, from the root of a checkout. */
export type Imports = { of: Map<string, string[]>; by: Map<string, string[]> }

/** Reads the imports of the code and the tests of a checkout. */
export function readImports(checkout: string): Imports {
  const of = new Map<string, string[]>()
  const by = new Map<string, string[]>()
  for (const file of ['src', 'jobs', 'test', 'tools'].flatMap((folder) => sourcesIn(checkout, folder))) {
    const text = readFileSync(path.join(checkout, file), 'utf8')
    const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
      path.posix.join(path.posix.dirname(file), target!).replace(/\.js$/, '.ts'),
    )
    of.set(file, targets)
    for (const target of targets) by.set(target, [...(by.get(target) ?? []), file])
  }
  return { of, by }
}

function sourcesIn(checkout: string, folder: string): string[] {
  try {
    return readdirSync(path.join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** How many imports lie between a file and each that reaches it; 1 for a file that imports it. */
function distancesTo(file: string, { by }: Imports): Map<string, number> {
  const distances = new Map([[file, 0]])
  // The list grows while it is gone through: each file adds those that import it.
  for (const [target, distance] of distances)
    for (const importer of by.get(target) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

/**
 * The test files that may notice a change of this file. `near`: so many of those around it, the
 * nearest first (the one with its name, those that import it, those of its folder and its room,
 * those of the rooms that import it), then those that ask the whole app. `far`: all others.
 */
export function testsByNearness(
  file: string,
  imports: Imports,
  around: number,
): { near: string[]; far: string[] } {
  const distances = distancesTo(file, imports)
  const rooms = new Set((imports.by.get(file) ?? []).map(roomOf))
  const nearness = (test: string): number => {
    if (nameOf(test) === nameOf(file)) return 0
    if (distances.get(test) === 1) return 1
    if (folderOf(test) === folderOf(file)) return 2
    if (roomOf(test) === roomOf(file)) return 3
    return rooms.has(roomOf(test)) ? 4 : 5
  }
  const far = Number.MAX_SAFE_INTEGER
  const tests = [...imports.of.keys()]
    .filter((test) => test.endsWith('.test.ts') && !leftOut.test(test))
    .map((test) => ({ test, nearness: nearness(test), distance: distances.get(test) ?? far }))
    .sort((a, b) => a.nearness - b.nearness || a.distance - b.distance || (a.test < b.test ? -1 : 1))
    .map(({ test }) => test)
  const asking = tests.filter((test) => throughTheApp.some((folder) => test.startsWith(`${folder}/`)))
  const others = tests.filter((test) => !asking.includes(test))
  return { near: [...others.slice(0, around), ...asking], far: others.slice(around) }
}

/** `http` of `src/platform/http/answer/vary.ts`, `incidents` of `test/incidents/desk.test.ts`. */
function roomOf(file: string): string {
  const [, room = '', part = ''] = file.split('/')
  return room === 'platform' ? part : room
}

/** The folder of a file below src or test. */
const folderOf = (file: string) => path.posix.dirname(file).split('/').slice(1).join('/')

const nameOf = (file: string) => path.posix.basename(file).replace(/(?:\.test)?\.ts$/, '')
