import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { checkout } from '../built.js'

/**
 * What every polyglot and metadata field of the samples holds: none of it may be
 * found in a stored picture.
 */
export const marker = 'Zq-Canary-7f3a'

/** A file that someone may send: what it is, what becomes of it, and its bytes. */
export type Sample = [what: string, outcome: string, bytes: () => Buffer]

const folder = path.join(checkout, 'test/support/photos/samples')

/**
 * The files in samples/, each in the folder of its outcome: `stored`, or the problem it is refused
 * with. A name that ends in .gz is a file that is large, and small only because it repeats itself:
 * a decompression bomb, for instance. Those of HEIC were made of drawn pictures by `heif-enc` of
 * libheif 1.15.1, such as `heif-enc -q 60 -t 64 corners.jpg -o file`; what it cannot write,
 * heicFiles.ts makes of them.
 */
export const samples: Sample[] = readdirSync(folder).flatMap((outcome) =>
  readdirSync(path.join(folder, outcome)).map((name): Sample => {
    const bytes = () => readFileSync(path.join(folder, outcome, name))
    return name.endsWith('.gz')
      ? [name.slice(0, -'.gz'.length), outcome, () => gunzipSync(bytes())]
      : [name, outcome, bytes]
  }),
)

/** The sample of this name. */
export function sample(name: string): Buffer {
  const found = samples.find(([what]) => what === name)
  if (!found) throw new Error(`There is no sample ${name}`)
  return found[2]()
}
