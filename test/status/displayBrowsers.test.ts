import { parse } from 'acorn'
import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

/** The files of the lobby's screen of this kind, as its browser gets them. */
async function filesOfScreen(selector: string, attribute: string): Promise<string[]> {
  const page = await house.page('guest', '/display')
  const addresses = page(selector)
    .toArray()
    .map((element) => page(element).attr(attribute)!)
  expect(addresses.length).toBeGreaterThan(0)
  return Promise.all(addresses.map(async (address) => (await house.ask('guest', address)).text()))
}

describe('screens of 2016 to 2018', () => {
  it('can read every script of the lobby’s screen: it is of 2015', async () => {
    for (const script of await filesOfScreen('script', 'src'))
      expect(() => parse(script, { ecmaVersion: 2015 })).not.toThrow()
    expect(() => parse('load(a, b,)', { ecmaVersion: 2015 })).toThrow()
  })

  it('can lay it out: its style sheet has nothing that came later', async () => {
    for (const css of await filesOfScreen('link[rel=stylesheet]', 'href')) {
      const rules = css.replace(/@media \((forced-colors|prefers-[\w-]+):[^{]*\{(?:[^{}]*\{[^{}]*\})*\}/g, '')
      expect(rules.match(later) ?? []).toEqual([])
      for (const [, block] of rules.matchAll(/\{([^{}]*)\}/g)) expect(withoutFallback(block!)).toEqual([])
    }
    expect('a{inset-inline:0;gap:1rem;width:min(1rem,2vw)}'.match(later)).toHaveLength(3)
    expect(withoutFallback('color:red;color:var(--a);fill:var(--b)')).toEqual(['fill'])
  })
})

/** What Chromium 38 does not know and display.css could be tempted to use. */
const later =
  /\b(?:grid|gap|inset)(?:-[\w-]+)?:|(?:-inline|-block)(?:-\w+)?:|[:\s(](?:min|max|clamp)\(|:(?:is|where|has)\(|\baspect-ratio: ?\d+[);]|overflow-wrap:|position:sticky/g

/** Properties of a rule that have a variable's value alone. Screens without variables ignore it. */
function withoutFallback(block: string): string[] {
  const declarations = block.split(';').map((each) => each.split(/:(.*)/s) as [string, string])
  const plain = new Set(declarations.filter(([, value]) => !value?.includes('var(')).map(([name]) => name))
  return declarations
    .filter(
      ([name, value]) =>
        value?.includes('var(') &&
        !name.startsWith('--') &&
        !plain.has(name) &&
        !plain.has(name.split('-')[0]!),
    )
    .map(([name]) => name)
}
