import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, readCheckout } from '../support/compiled.js'

const folder = path.join(checkout, 'test/examples')
const examples = readdirSync(folder).sort()
const page = readCheckout('docs/develop/testing.md')
/** The blocks of code on the page. */
const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

describe('the page about tests', () => {
  it('quotes every example word for word, and nothing else', () => {
    const files = examples.map((name) => readFileSync(path.join(folder, name), 'utf8'))
    expect(blocks.toSorted()).toEqual(files.toSorted())
  })

  it('keeps each short enough to be read at once', () => {
    expect(blocks.filter((code) => code.trimEnd().split('\n').length > 40)).toEqual([])
  })
})
