import '../support/email/corpus/environment.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { recognitionSettings } from '../../src/inbound/recognitionSettings.js'
import { type Originals, prepareOriginals } from '../support/email/corpus/originals.js'
import { type Recognised, readAndRecognise } from '../support/email/corpus/recognised.js'
import { emailOf, readSamples } from '../support/email/corpus/samples.js'
import { textsIn, wordsOf } from '../support/email/corpus/wordsIn.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
let originals: Originals
beforeAll(async () => {
  originals = await prepareOriginals(house)
})

describe('staff can read every word that is not ours of', () => {
  it.each(readSamples().map((sample, turn) => [sample.name, sample, turn] as const))(
    '%s, wherever it is cut',
    async (_name, sample, turn) => {
      const whole = await emailOf(sample, originals)
      const { answers } = sample.expected
      const original = answers ? originals[answers] : null
      const ours = new Set(wordsOf(original ? `${original.subject} ${original.text}` : ''))
      const settings = await recognitionSettings()
      const lost: Record<number, string[]> = {}
      for (const cut of cutsOf(turn)) {
        const email = whole.subarray(0, Math.ceil((whole.length * cut) / 100))
        const found = await readAndRecognise(email, settings)
        const words = found ? lostWords(email, cut < 100, found, ours) : []
        if (words.length > 0) lost[cut] = words
      }
      expect(lost).toEqual({})
    },
  )
})

/** Hundredths of an email that are left: all, or the whole email and one more. */
function cutsOf(turn: number) {
  return perRun({
    quick: [100, 10 + ((turn * 37) % 90)],
    whole: Array.from({ length: 100 }, (_, i) => i + 1),
  })
}

/** Everything of an email that staff can read. */
function wordsForStaff({ email, recognised }: Recognised): ReadonlySet<string> {
  const { words, title } = recognised
  const files = email.files.map(({ filename }) => filename)
  return new Set(wordsOf([title, words.whole, words.newWords, ...files].join('\n')))
}

/** Words that are nowhere for staff, of the version of each text that lacks fewest. */
function lostWords(email: Buffer, isCut: boolean, found: Recognised, ours: ReadonlySet<string>): string[] {
  const known = wordsForStaff(found)
  return textsIn(email, isCut).flatMap((versions) => {
    const lost = versions.map((words) => [...words].filter((word) => !known.has(word) && !ours.has(word)))
    return lost.sort((a, b) => a.length - b.length)[0] ?? []
  })
}
