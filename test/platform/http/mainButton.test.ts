import { type CheerioAPI, load } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { useHouse } from '../../support/house/house.js'
import { examplesOf, pageRoutes, type Reader } from '../../support/pages.js'
import { perRun } from '../../support/run/extent.js'

const house = useHouse()

describe('Enter in a field', () => {
  let pages: [string, CheerioAPI][]

  beforeAll(async () => {
    const examples = await examplesOf(house)
    const asked = readers.flatMap((who) =>
      pageRoutes()
        .filter(({ readers: may }) => may.includes(who))
        .flatMap(({ path }) => (examples[path] ?? []).map((address) => [who, address] as const)),
    )
    pages = []
    for (const [who, address] of asked) {
      const answer = await house.ask(who, address, { headers: { accept: 'text/html' } })
      if (/html/.test(answer.headers.get('content-type') ?? ''))
        pages.push([`${who} ${address}`, load(await answer.text())])
    }
  })

  it('presses the main button of every form', () => {
    expect(pages.length).toBeGreaterThan(100)
    expect(pages.flatMap(([page, $]) => wrongDefaults($).map((button) => `${page}: ${button}`))).toEqual([])
  })
})

const readers = perRun<Reader[]>({
  quick: ['guest', 'admin'],
  whole: ['guest', 'resident', 'board', 'manager', 'admin'],
})

const submits = 'button:not([type=button]):not([type=reset]), input[type=submit]'

/** Fields in which Enter sends the form. */
const sends = 'input:not([type=hidden]):not([type=file]):not([type=submit])'

/**
 * Forms whose first submit button, which is what Enter presses, is not their main one: it
 * goes elsewhere or chooses.
 */
function wrongDefaults($: CheerioAPI): string[] {
  return $('form')
    .toArray()
    .filter((form) => $(form).find(sends).length > 0 && $(form).find(submits).length > 1)
    .map((form) => $(form).find(submits).get(0)!)
    .filter(({ attribs }) => 'formaction' in attribs || 'name' in attribs)
    .map((button) => $.html(button))
}
