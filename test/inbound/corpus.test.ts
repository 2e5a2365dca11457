import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { useApp } from '../support/app.js'
import { corpusEnvironment, type Originals, prepareOriginals } from '../support/mail/corpus/originals.js'
import {
  folded,
  forgetReceived,
  publicText,
  receive,
  titleOf,
  wordsOf,
} from '../support/mail/corpus/receive.js'
import { emailOf, readSamples } from '../support/mail/corpus/samples.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Larkspur Court <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
  process.env.INBOUND_AUTHSERV_ID = 'mx.house.example'
})

const app = useApp()
const samples = readSamples()
const folders = [...new Set(samples.map(({ name }) => name.split('/')[0]!))]

it('the building is the one that the samples write to', () => {
  expect(process.env).toMatchObject(corpusEnvironment)
  expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length)
})

// A timeline takes so much and no more: each folder answers incidents of its own.
describe.each(folders)('email in the manner of %s', (folder) => {
  let originals: Originals
  beforeAll(async () => {
    originals = await prepareOriginals(app)
  })
  beforeEach(forgetReceived)

  const own = samples.filter(({ name }) => name.startsWith(`${folder}/`))
  it.each(own.map((sample) => [sample.name.slice(folder.length + 1), sample] as const))(
    '%s',
    async (_name, sample) => {
      const { expected } = sample
      const received = await receive(app, await emailOf(sample, originals))
      const text = publicText(expected)
      expect({
        action: received.action,
        title: expected.title === undefined ? null : received.title,
        public: received.public === null ? null : folded(received.public),
        photos: received.photos,
        sender: received.sender,
        isProven: received.isProven,
      }).toEqual({
        action: expected.action,
        title: expected.title === undefined ? null : titleOf(expected.title),
        public: text === null ? null : folded(text),
        photos: expected.photos,
        sender: expected.sender,
        isProven: expected.proof === 'pass',
      })
      const forStaff = [...expected.staff, ...(expected.notTaken ?? [])]
      const missing = forStaff.filter((words) => !wordsOf(received.staff).includes(wordsOf(words)))
      expect(missing).toEqual([])
    },
  )
})
