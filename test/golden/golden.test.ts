import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'

vi.hoisted(() => {
  process.env.PUSH_ENABLED = 'true'
})

import { configureAsLive, useFixedBuilding } from '../support/golden/building.js'
import { readableJson } from '../support/golden/json.js'
import { type Messages, messagesOf, missingKinds } from '../support/golden/messages.js'
import { pageTexts } from '../support/golden/pages.js'
import { statesOf, stateTexts } from '../support/golden/states.js'
import { writeMessages, writeStates, writeWhole } from '../support/golden/whole.js'
import { useHouse } from '../support/house/house.js'
import { examplesOf } from '../support/pages.js'

const house = useHouse(useFixedBuilding())
let description: string
let pages: Map<string, string>
let messages: Messages

beforeAll(writeEverything)

it('the description of the API is as its golden file has it', () => {
  expectGolden('test/golden/api', new Map([['openapi.json', description]]))
})

it('every page is as its golden files have it', () => {
  expectGolden('test/golden/pages', pages)
})

it('every kind of email, push and webhook is sent', () => {
  expect(missingKinds(messages)).toEqual([])
})

it.each(['emails', 'pushes', 'webhooks'] as const)('%s are as their golden files have them', (kind) => {
  expectGolden(`test/golden/${kind}`, messages[kind])
})

/**
 * In this order whichever test runs: what happens later would be on the pages, and ids follow from
 * what was before.
 */
async function writeEverything(): Promise<void> {
  configureAsLive()
  description = `${readableJson(await house.json('guest', '/api/openapi.json'))}\n`
  const examples = await examplesOf(house)
  pages = await pageTexts(house, examples)
  if (folder) await writeWhole(house, examples, folder)
  const states = await statesOf(house)
  for (const [file, text] of stateTexts(states)) pages.set(file, text)
  if (folder) await writeStates(house, examples, states, folder)
  messages = await messagesOf(house)
  if (folder) writeMessages(folder, messages)
}

const accept = 'npm run golden -- --update'

/**
 * Compares texts with the files of a folder, by their names. Fails with the difference of each
 * file, and with the names of missing files and of those that nothing belongs to. `update`:
 * rewrites the folder first.
 */
function expectGolden(
  folder: string,
  texts: ReadonlyMap<string, string>,
  update = process.env.GOLDEN_UPDATE !== undefined,
): void {
  if (update) write(folder, texts)
  const existing = existsSync(folder) ? readdirSync(folder) : []
  expect(
    {
      missing: [...texts.keys()].filter((name) => !existing.includes(name)),
      leftOver: existing.filter((name) => !texts.has(name)),
    },
    `golden files of ${folder}; to accept what is new: ${accept}`,
  ).toEqual({ missing: [], leftOver: [] })
  for (const name of existing)
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

/** Set by `npm run golden -- --html FOLDER`. */
const folder = process.env.GOLDEN_HTML
