import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { checkout } from '../compiled.js'

/**
 * What every polyglot and metadata field of the samples holds: none of it may be
 * found in a stored picture.
 */
export const marker = 'Zq-Canary-7f3a'

/** A file that someone may send: what it is, what becomes of it, and its bytes. */
export type Sample = [what: string, outcome: string, bytes: () => Buffer]

const folder = path.join(checkout, 'test/platform/photos/pictures')
const outcomes = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/**
 * The pictures of `test/platform/photos/pictures`, each in the folder of its outcome: `stored`, or
 * the problem it is refused with. A name that ends in .gz is a file that is large, and small only
 * because it repeats itself: a decompression bomb, for instance.
 */
export const samples: Sample[] = outcomes.flatMap((outcome) =>
  readdirSync(path.join(folder, outcome)).map((name): Sample => {
    const bytes = () => readFileSync(path.join(folder, outcome, name))
    return name.endsWith('.gz')
      ? [name.slice(0, -'.gz'.length), outcome, () => gunzipSync(bytes())]
      : [name, outcome, bytes]
  }),
)

/** What a sample looks like once it is stored, as `looks.json` says. */
export type Look = {
  /** What the file is before, in the words of the decoder, where the name promises it. */
  sent?: object
  width: number
  height: number
  /** The colour at places in hundredths of width and height; `within`: 12 where it is left out. */
  colours: { at: [x: number, y: number]; is: [red: number, green: number, blue: number]; within?: number }[]
}

/** The samples of which `looks.json` says what they look like, by name. */
export const looks = JSON.parse(readFileSync(path.join(folder, 'looks.json'), 'utf8')) as Record<string, Look>

/** The sample of this name. */
export function sample(name: string): Buffer {
  const found = samples.find(([what]) => what === name)
  if (!found) throw new Error(`There is no sample ${name}`)
  return found[2]()
}
