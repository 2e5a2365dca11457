import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkout } from '../../compiled.js'
import { fillSample } from './fill.js'
import type { OriginalName, Originals } from './originals.js'

/**
 * What becomes of a sample, written by hand from the decisions. `answers`: the email of ours that
 * it answers. `action`: as the API answers, with the reason behind a colon. `public`: what a guest
 * reads of its text, null for nothing. `staff`: words that staff read besides. `photos`: how many
 * of its files became photos; `notTaken`: names of those that did not.
 */
export type Expected = {
  answers?: OriginalName
  action: string
  title?: string
  public: string | null
  staff: string[]
  photos: number
  notTaken?: string[]
  sender: string | null
  proof: 'pass' | 'none' | 'fail'
  comment?: string
}

/** A sample as it stands in its two files; `name`: folder and name. */
export type Sample = { name: string; file: Buffer; expected: Expected }

const folder = path.join(checkout, 'test/inbound/corpus')

/** Every sample, by name; with CORPUS=outlook those of one folder, or of one name. */
export function readSamples(): Sample[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.eml'))
    .map((file) => file.split(path.sep).join('/').slice(0, -'.eml'.length))
    .filter((name) => name.startsWith(process.env.CORPUS ?? ''))
    .sort()
    .map((name) => ({
      name,
      file: readFileSync(path.join(folder, `${name}.eml`)),
      expected: JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Expected,
    }))
}

/**
 * The email of a sample as it is posted; `originals`: null for samples that answer none of them.
 */
export function emailOf(
  { file, expected: { answers } }: Sample,
  originals: Originals | null,
): Promise<Buffer> {
  return fillSample(file, answers && originals ? originals[answers] : null)
}
