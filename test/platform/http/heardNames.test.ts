import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = 'test/golden/pages'

/** A button or link of an outline with a name of its own: what is seen of it, and what is heard. */
const named = /(?:button|link) "(?<seen>[^"]+)" \{(?<heard>[^}]*)\}|> \{(?<heard2>[^}]*)\} (?<seen2>.+)/

it('what is heard of a button holds what is seen, for who speaks to the page (WCAG 2.5.3)', () => {
  const controls = readdirSync(folder)
    .flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').split('\n'))
    .flatMap((line) => {
      const { seen, heard, seen2, heard2 } = named.exec(line)?.groups ?? {}
      return seen || seen2 ? [{ seen: (seen ?? seen2)!, heard: (heard ?? heard2)! }] : []
    })
    .filter(({ seen }) => /\p{L}/u.test(seen))
  expect(controls.length).toBeGreaterThan(30)
  expect(controls.filter(({ seen, heard }) => !heard.toLowerCase().includes(seen.toLowerCase()))).toEqual([])
})
