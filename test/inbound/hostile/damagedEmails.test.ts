import '../../support/email/corpus/environment.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { recognitionSettings } from '../../../src/inbound/recognitionSettings.js'
import { query } from '../../../src/platform/db/database.js'
import { limits } from '../../../src/vocabulary/limits.js'
import { damages, heavyDamages } from '../../support/email/corpus/damage.js'
import { type Originals, prepareOriginals } from '../../support/email/corpus/originals.js'
import { postEmail } from '../../support/email/corpus/receive.js'
import { readAndRecognise } from '../../support/email/corpus/recognised.js'
import { emailOf, readSamples, type Sample } from '../../support/email/corpus/samples.js'
import { forgetEmails } from '../../support/email/receivedEmails.js'
import { useHouse } from '../../support/house/house.js'
import { perRun } from '../../support/run/extent.js'
import { calmest, ticking, turn } from '../../support/run/ticking.js'

const house = useHouse()
let originals: Originals
beforeAll(async () => {
  originals = await prepareOriginals(house)
})

const samples = readSamples()

describe('an email that is damaged', () => {
  it.each(named(perRun({ quick: { every: 20 }, whole: samples })))(
    'is read and recognised, or has no sender: %s',
    async (_name, sample) => {
      const ours = await recognitionSettings()
      for (const email of await damagedVersions(sample)) {
        const { result, longest } = await calmest(() =>
          ticking(() => readAndRecognise(Buffer.from(email, 'latin1'), ours)),
        )
        expect(longest).toBeLessThan(turn)
        if (result !== null)
          expect([...result.recognised.words.newWords].length).toBeLessThanOrEqual(limits.text)
      }
    },
  )
})

describe('an email that is damaged is answered, and leaves all of it or nothing', () => {
  it.each(named(perRun({ quick: every(60), whole: every(4) })))('%s', async (_name, sample) => {
    for (const email of await damagedVersions(sample)) await sendCalmly(email)
  })

  const few = perRun({ quick: every(samples.length), whole: every(50) })
  const heavy = Object.entries(heavyDamages)
  it.each(heavy)('with %s', async (_what, damage) => {
    for (const sample of few) {
      const email = (await emailOf(sample, originals)).toString('latin1')
      await sendCalmly(damage(email))
    }
  })
})

type Rows = { reports: number; entries: number; kept: number; emails: number; photos: number }

/** How many rows of each kind there are that an email can leave. */
async function rows(): Promise<Rows> {
  const [found] = await query<Rows>(
    `select (select count(*)::integer from incidents) as reports,
       (select count(*)::integer from incident_updates) + (select count(*)::integer from internal_notes) as entries,
       (select count(*)::integer from held_emails) as kept,
       (select count(*)::integer from inbound_emails) as emails,
       (select count(*)::integer from photos) as photos`,
  )
  return found!
}

/**
 * Sends an email that nobody knows and looks whether it left all that its answer says, and nothing
 * else. Returns how long others had to wait meanwhile.
 */
async function sendAndCount(email: Buffer): Promise<number> {
  await forgetEmails()
  const before = await rows()
  const { result: answer, longest } = await ticking(() => postEmail(house, email))
  const after = await rows()
  expect([200, 400, 413, 422]).toContain(answer.status)
  if (answer.status !== 200) {
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(after).toEqual(before)
    return longest
  }
  const { action } = (await answer.json()) as { action: string }
  const left = (name: keyof Rows) => after[name] - before[name]
  expect({ action, emails: left('emails'), reports: left('reports'), kept: left('kept') }).toEqual({
    action,
    emails: 1,
    reports: action === 'created' ? 1 : 0,
    kept: action === 'ignored' ? 1 : 0,
  })
  // A new report has an entry of its own for files that were not taken.
  const most = action === 'ignored' ? 0 : 1
  expect(left('entries')).toBeLessThanOrEqual(most)
  if (action === 'appended') expect(left('entries')).toBe(1)
  if (action === 'ignored') expect(left('photos')).toBe(0)
  return longest
}

async function sendCalmly(email: string): Promise<void> {
  const bytes = Buffer.from(email, 'latin1')
  const { longest } = await calmest(async () => ({ result: null, longest: await sendAndCount(bytes) }))
  expect(longest).toBeLessThan(turn)
}

function named(all: readonly Sample[]) {
  return all.map((sample) => [sample.name, sample] as const)
}

function every(step: number) {
  return samples.filter((_each, i) => i % step === 7)
}

/** An email in every way that it is damaged; one character for each byte. */
async function damagedVersions(sample: Sample): Promise<string[]> {
  const email = (await emailOf(sample, originals)).toString('latin1')
  const cuts = [3, 17, 41, 68, 93].map((hundredth) =>
    email.slice(0, Math.ceil((email.length * hundredth) / 100)),
  )
  return [...Object.values(damages).map((damage) => damage(email)), ...cuts]
}
