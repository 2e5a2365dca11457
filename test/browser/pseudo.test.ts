import '../support/pseudoLanguage.js'
import { load } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { en } from '../../src/text/index.js'
import { useBrowser, withoutBrowser } from '../support/browser.js'
import { useHouse } from '../support/house/house.js'
import { type Examples, examplesOf, pageRoutes, type Reader } from '../support/pages.js'
import { englishSentences, pseudo } from '../support/pseudoLanguage.js'
import { inWholeRun, perRun } from '../support/run/extent.js'
import { layoutFaults, openStage, show } from './audit.js'
import {
  everyPage,
  hiddenWordsOf,
  importPreview,
  problemPages,
  refusedForms,
  type State,
  stateOf,
} from './states.js'

/**
 * What the office's acts write down, in the building's language, as people's words are in theirs.
 */
const { hidden, dismissedEntry, reinstatedEntry } = en.protection

describe('a language that is longer and reads from right to left', () => {
  const house = useHouse()
  let examples: Examples
  let states: State[]

  beforeAll(async () => {
    await query(`update users set locale = 'ar'`)
    examples = await examplesOf(house)
    const readers = perRun<Reader[]>({ quick: ['guest', 'admin'], whole: ['guest', 'resident', 'admin'] })
    states = [
      ...(await everyPage(house, examples, readers, asked)),
      ...(await refusedForms(house, examples, asked)),
      ...(await problemPages(house, asked)),
      await importPreview(house, asked),
    ]
  })

  it('is on every page, from its first line', () => {
    const others = states.filter(({ html }) => !/^<!doctype html>\s<html lang="ar" dir="rtl"/.test(html))
    expect(others.map(({ name }) => name)).toEqual([])
  })

  it('leaves no English of ours on any page', async () => {
    /** Where each text was met first. */
    const saidAt = new Map<string, string>()
    for (const { name, html } of states)
      for (const text of saidBy(html)) if (!saidAt.has(text)) saidAt.set(text, name)
    const whereOf = (sentence: string) => [...saidAt].find(([text]) => text.includes(sentence))
    expect(englishIn(saidAt.keys()).map(whereOf)).toEqual([])
    const english = await stateOf(house, 'guest', '/', 200, { headers: { 'accept-language': 'en' } })
    expect(englishIn(saidBy(english.html)).length).toBeGreaterThan(10)
  })

  it('stands in no element that only a browser hides', () => {
    expect(states.flatMap(hiddenWordsOf)).toEqual([])
    const hidden = '<p hidden="">No connection</p>'
    expect(hiddenWordsOf({ name: 'A page', html: hidden })).toEqual([`A page: ${hidden}`])
  })

  it('is looked at on every page of the router', () => {
    expect(pageRoutes().filter(({ path }) => !examples[path]?.length)).toEqual([])
  })

  it('is told apart from English by every letter it can change', () => {
    expect(pseudo(en.report.title)).toMatch(/^Řêpöřť á přöbłêm ø{5}$/)
    expect(pseudo('12:30 – 14:00')).toBe('12:30 – 14:00')
  })

  inWholeRun(() => {
    describe.skipIf(withoutBrowser)('in a browser of 320 px', () => {
      const browser = useBrowser()

      it('keeps every page within its width, and its targets large enough', async () => {
        const page = await browser.open({ viewport: { width: 320, height: 640 } })
        await openStage(page, house.origin())
        const seen = new Set<string>()
        const faults: string[] = []
        for (const { name, html, main } of states) {
          if (seen.has(main)) continue
          seen.add(main)
          await show(page, html)
          faults.push(...(await layoutFaults(page)).map((fault) => `${name}: ${fault}`))
        }
        expect(faults).toEqual([])
      })
    })
  })
})

const asked = { headers: { 'accept-language': 'ar' } }

const spoken = 'alt aria-label placeholder title label data-said data-state data-title data-remove'.split(' ')

/** Everything a page says, a line for each text and attribute. */
function saidBy(html: string): string[] {
  const $ = load(html, { scriptingEnabled: false })
  $('script, style, body [lang]').remove()
  const texts = $('*')
    .contents()
    .toArray()
    .flatMap((node) => (node.type === 'text' ? [node.data] : []))
  const attributes = spoken.flatMap((name) =>
    $(`[${name}]`)
      .toArray()
      .map((el) => $(el).attr(name)!),
  )
  return [...texts, ...attributes].map((text) => text.trim()).filter(Boolean)
}

const stored = [hidden, dismissedEntry, reinstatedEntry]

const sentences = englishSentences().filter((sentence) => !stored.includes(sentence))

/** What is said in words of the English catalogue. */
function englishIn(said: Iterable<string>) {
  const all = [...said].join('\n')
  return sentences.filter((sentence) => all.includes(sentence))
}
