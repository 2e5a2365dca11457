import '../support/email/corpus/environment.js'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recognitionSettings } from '../../src/inbound/recognitionSettings.js'
import { type Originals, prepareOriginals } from '../support/email/corpus/originals.js'
import {
  folded,
  forgetReceived,
  publicText,
  receive,
  titleOf,
  wordsOf,
} from '../support/email/corpus/receive.js'
import { readAndRecognise } from '../support/email/corpus/recognised.js'
import { emailOf, readSamples } from '../support/email/corpus/samples.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const samples = readSamples()
const folders = [...new Set(samples.map(({ name }) => name.split('/')[0]!))]

// A timeline takes so much and no more: each folder answers incidents of its own.
describe.each(folders)('email in the manner of %s', (folder) => {
  const all = samples.filter(({ name }) => name.startsWith(`${folder}/`))
  // One sample by name is always run.
  const own = all.length === samples.length ? all : perRun({ quick: { every: 2 }, whole: all })
  const answersAny = own.some(({ expected }) => expected.answers !== undefined)

  let originals: Originals | null = null
  beforeAll(async () => {
    if (answersAny) originals = await prepareOriginals(house)
  })
  beforeEach(forgetReceived)

  it.each(own.map((sample) => [sample.name.slice(folder.length + 1), sample] as const))(
    '%s',
    async (_name, sample) => {
      const { expected } = sample
      const email = await emailOf(sample, originals)
      const recognised = await readAndRecognise(email, await recognitionSettings())
      const received = await receive(house, email)
      const text = publicText(expected)
      const isProven = expected.proof === 'pass'
      expect({
        action: received.action,
        title: expected.title === undefined ? null : received.title,
        public: received.public === null ? null : folded(received.public),
        photos: received.photos,
        sender: received.sender,
        proof: recognised?.recognised.proof ?? 'none',
        isProven: received.isProven ?? isProven,
      }).toEqual({
        action: expected.action,
        title: expected.title === undefined ? null : titleOf(expected.title),
        public: text === null ? null : folded(text),
        photos: expected.photos,
        sender: expected.sender,
        proof: expected.proof,
        isProven,
      })
      const forStaff = [...expected.staff, ...(expected.notTaken ?? [])]
      if (forStaff.length === 0) return
      const read = wordsOf(await received.staff())
      expect(forStaff.filter((words) => !read.includes(wordsOf(words)))).toEqual([])
    },
  )
})
