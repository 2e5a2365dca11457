import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inWholeRun, perRun } from '../support/run/extent.js'
import {
  type Asker,
  followerEmail,
  jsonOf,
  managerEmail,
  neighbourEmail,
  outsiders,
  type Stage,
  startStage,
  suspects,
  writerEmail,
} from './cast.js'
import { steadyAnswer, steadyArrival, steadyEmail } from './normalise.js'
import { type Observation, play } from './story.js'
import { knownOf, photoPaths, type Question, reads, writes } from './surfaces.js'

/**
 * Two buildings in which the same things happen, but for who it is that reports
 * without a name (decision 2.9).
 */
let worlds: [Stage, Stage]
let observations: Observation[][]

describe('two worlds that differ in who the anonymous reporter is', () => {
  useWorlds(() => [startStage('x'), startStage('y')])

  tellNothingApart()

  it('send the same emails to staff, who find the name on the page', () => {
    const [a, b] = worlds.map((world) => emailsTo(world, managerEmail))
    expect(a!.length).toBeGreaterThan(3)
    expect(a).toEqual(b)
  })

  it('finds the reporter where staff look', async () => {
    const { smoke, survivor } = worlds[0].noted
    const ids = [`incidents/${smoke}`, `incidents/${survivor}`]
    const questions = ['/api/incidents', '/incidents', `/${ids[0]}`, ...ids.map((each) => `/api/${each}`)]
    for (const path of questions)
      expect(await differs('manager', { path, asked: {} }), path).toMatch(/Featherstonehaugh.*Bo Li/)
  })

  it.each(outsiders)('finds a reporter who hides nothing, as %s', async (who) => {
    const ids = []
    for (const world of worlds) {
      const answer = await world.ask('reporter', '/api/incidents', {
        json: { assetId: world.noted.asset, title: 'By name', severity: 'low' },
      })
      ids.push(JSON.parse(answer.body.toString()).id)
    }
    expect(ids[0]).toBe(ids[1])
    for (const path of ['/api/incidents', `/incidents/${ids[0]}`, `/api/assets/${worlds[0].noted.asset}`])
      expect(await differs(who, { path, asked: { headers: {} } }), path).toMatch(/Featherstonehaugh.*Bo Li/)
  })
})

/**
 * Staff are few: to learn that the reporter is one of them is nearly to learn
 * who it is (decision 9.9).
 */
describe.each(perRun({ quick: ['board'], whole: ['board', 'manager', 'admin'] as const }))(
  'two worlds in which the anonymous reporter is a resident, or %s and acts for the office',
  (role) => {
    useWorlds(() => [startStage('x', { areNamed: false }), startStage('x', { areNamed: false, role })])

    it('differ for staff, who read who acted and in which role', async () => {
      const path = `/api/incidents/${worlds[0].noted.office}`
      const [resident, staff] = await Promise.all(worlds.map((world) => world.ask('manager', path)))
      expect(staff!.body.toString()).toContain(`"authorRole":"${role}"`)
      expect(resident!.body.toString()).not.toMatch(/"authorName":"Wilhelmina[^}]*"authorRole"/)
    })

    it('sign what the office does by the office, and what the reporter writes with no role', async () => {
      for (const world of worlds) {
        const path = `/api/incidents/${world.noted.office}`
        const { updates } = jsonOf<{ updates: Entry[] }>(await world.ask('guest', path))
        const writers = new Set(updates.map(({ authorName }) => authorName))
        expect(writers).toEqual(new Set(['Anonymous resident', 'The office']))
        expect(updates.filter(({ authorRole }) => authorRole !== undefined)).toEqual([])
      }
    })

    // Last: its writes add words of others.
    tellNothingApart()
  },
)

/** Builds both worlds before the tests of a suite, and tells the story in them. */
function useWorlds(start: () => [Promise<Stage>, Promise<Stage>]): void {
  beforeAll(async () => {
    worlds = await Promise.all(start())
    observations = await play(worlds)
  }, 240_000)
  afterAll(() => Promise.all((worlds ?? []).map((world) => world.end())))
}

type Entry = { authorName: string; authorRole?: string }

/** Asks both worlds at once. */
async function pair(who: Asker, { path, asked }: Question): Promise<[string, string]> {
  const [a, b] = await Promise.all(worlds.map((world) => world.ask(who, path, asked)))
  return [steadyAnswer(a!), steadyAnswer(b!)]
}

/**
 * Uptime moves on between two questions, once in a while just then: what
 * differs by who, differs again.
 */
async function differs(who: Asker, question: Question): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const [a, b] = await pair(who, question)
    if (a === b) return null
    if (attempt === 3 || (question.asked.method ?? 'GET') !== 'GET') return describeDifference(question, a, b)
  }
}

function describeDifference({ path, asked }: Question, a: string, b: string): string {
  const [left, right] = [a.split('\n'), b.split('\n')]
  const pairs = left.flatMap((line, i) => (line === right[i] ? [] : [excerpts(line, right[i] ?? '')]))
  return `${asked.method ?? 'GET'} ${path}: ${pairs.join('; ')}`
}

function excerpts(a: string, b: string): string {
  const at = [...a].findIndex((_, i) => a[i] !== b[i])
  return [a, b].map((line) => line.slice(Math.max(0, at - 60), at + 60)).join(' | ')
}

/**
 * The differences of all of them. Reads go a few at a time; a write may change what
 * the next one comes upon.
 */
async function differences(who: Asker, questions: readonly Question[], atOnce = 1): Promise<string[]> {
  const found: (string | null)[] = []
  for (let at = 0; at < questions.length; at += atOnce)
    found.push(
      ...(await Promise.all(questions.slice(at, at + atOnce).map((question) => differs(who, question)))),
    )
  return found.filter((difference) => difference !== null)
}

function sorted(texts: string[]) {
  return texts.sort()
}

function emailsTo({ emails }: Stage, address: string) {
  return sorted(
    emails()
      .filter(({ to }) => to === address)
      .map(steadyEmail),
  )
}

function pushesTo({ outside }: Stage, who: Asker) {
  return sorted(outside.pushes.filter(({ body }) => body.includes(`phone-of-${who}"`)).map(steadyArrival))
}

/** What everyone outside the office reads and is sent is the same in both worlds. */
function tellNothingApart(): void {
  it('have the same ids', () => {
    expect(worlds[0].noted).toEqual(worlds[1].noted)
    expect(Object.keys(worlds[0].noted).length).toBeGreaterThan(10)
  })

  it('answered everybody outside the same while it happened', () => {
    const [a, b] = observations.map((each) =>
      each.map(({ step, who, answer }) => `${step}, ${who}: ${steadyAnswer(answer)}`),
    )
    expect(a!.length).toBeGreaterThan(10)
    expect(a).toEqual(b)
  })

  it.each(perRun({ quick: ['neighbour'], whole: outsiders }))(
    'show %s the same, at every address of the product',
    { timeout: 900_000 },
    async (who) => {
      const questions = reads(await knownOf(worlds[0]))
      expect(questions.length).toBeGreaterThan(perRun({ quick: 100, whole: 500 }))
      expect(await differences(who, questions, 4)).toEqual([])
    },
  )

  it.each(outsiders)('give %s the same photos, bytes and headers', async (who) => {
    const [a, b] = await Promise.all(worlds.map(photoPaths))
    expect(a!.length).toBe(b!.length)
    for (const [i, path] of a!.entries()) {
      const left = steadyAnswer(await worlds[0].ask(who, path))
      expect(left).toMatch(/^200\n/)
      expect(steadyAnswer(await worlds[1].ask(who, b![i]!))).toBe(left)
    }
  })

  it('say the same to a webhook’s receiver, as often', () => {
    const [a, b] = worlds.map(({ outside }) => sorted(outside.webhooks.map(steadyArrival)))
    expect(a!.length).toBeGreaterThan(15)
    expect(a).toEqual(b)
  })

  it('send the same emails to a follower who is not staff', () => {
    const [a, b] = worlds.map((world) => emailsTo(world, neighbourEmail))
    expect(a!.length).toBeGreaterThan(5)
    expect(a).toEqual(b)
  })

  it.each([
    { who: 'writes to us', address: writerEmail, least: 3 },
    { who: 'follows', address: followerEmail, least: 5 },
  ])(
    'send the same emails to somebody without an account who $who, with no suspect’s address',
    ({ address, least }) => {
      const [a, b] = worlds.map((world) => emailsTo(world, address))
      expect(a!.length).toBeGreaterThan(least)
      expect(a).toEqual(b)
      // A stranger's email names all of them, in both worlds alike; addresses are replaced.
      for (const { email } of Object.values(suspects)) expect(a!.join('\n')).not.toContain(email)
    },
  )

  it.each(['neighbour', 'mobile'] as const)('send the same pushes to the phone of %s', (who) => {
    const [a, b] = worlds.map((world) => pushesTo(world, who))
    expect(a!.length).toBeGreaterThan(3)
    expect(a).toEqual(b)
  })

  inWholeRun(() => {
    it.each(outsiders)('answer every write of %s the same', { timeout: 900_000 }, async (who) => {
      const questions = writes(await knownOf(worlds[0]), worlds[0])
      expect(questions.length).toBeGreaterThan(100)
      expect(await differences(who, questions)).toEqual([])
      for (const world of worlds) await world.quiet()
    })

    it('said the same to everybody outside once all of that had happened, too', () => {
      const [a, b] = worlds.map((world) => [
        ...sorted(world.outside.webhooks.map(steadyArrival)),
        ...emailsTo(world, neighbourEmail),
        ...pushesTo(world, 'neighbour'),
        ...pushesTo(world, 'mobile'),
      ])
      expect(a).toEqual(b)
    })
  })
}
