import { afterAll, beforeAll, expect, it, vi } from 'vitest'

vi.hoisted(() => {
  process.env.PUSH_ENABLED = 'true'
})

import { useApp } from '../support/app.js'
import { configureAsLive, useFixedBuilding } from '../support/golden/building.js'
import { expectGolden } from '../support/golden/files.js'
import { readableJson } from '../support/golden/json.js'
import { type Messages, messagesOf, missingKinds } from '../support/golden/messages.js'
import { pageTexts } from '../support/golden/pages.js'
import { statesOf, stateTexts } from '../support/golden/states.js'
import { writeMessages, writeStates, writeWhole } from '../support/golden/whole.js'
import { examplesOf } from '../support/pages.js'

/** Set by `npm run golden -- --html FOLDER`. */
const folder = process.env.GOLDEN_HTML
const app = useApp(useFixedBuilding())
let description: string
let pages: Map<string, string>
let messages: Messages

/**
 * In this order whichever test runs: what happens later would be on the pages, and ids follow from
 * what was before.
 */
beforeAll(async () => {
  configureAsLive()
  description = `${readableJson(await app.json('guest', '/api/openapi.json'))}\n`
  const examples = await examplesOf(app)
  pages = await pageTexts(app, examples)
  if (folder) await writeWhole(app, examples, folder)
  const states = await statesOf(app)
  for (const [file, text] of stateTexts(states)) pages.set(file, text)
  if (folder) await writeStates(app, examples, states, folder)
  messages = await messagesOf(app)
  if (folder) writeMessages(folder, messages)
})
afterAll(() => {
  process.env.PUSH_ENABLED = ''
})

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
