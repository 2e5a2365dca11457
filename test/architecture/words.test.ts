import { load } from 'cheerio'
import { expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

it('every word people see stands in the catalogue and not in a template', () => {
  const found = sourcesIn(['views'], '.eta').flatMap(({ path, text }) =>
    ownWords(text).map((words) => `${path}: ${words}`),
  )
  expect(found).toEqual([])
})

const letters = /\p{L}{2,}/u

/** Attributes people see or hear. */
const spoken = [
  'alt',
  'aria-label',
  'aria-description',
  'placeholder',
  'title',
  'label',
  'value',
  'content',
  'summary',
]

/** Values for machines. */
const machine = /^(width=|light dark$|noindex|utf-8|telephone=|true$|false$|1$|website$|summary_large_image$)/

/**
 * A template without its code: what is left is markup and literal text. `INC-` is a name,
 * the same in every language.
 */
const literal = (text: string) => text.replace(/<%[\s\S]*?%>/g, ' ').replaceAll('INC-', '')

/** Words a template says by itself instead of taking them from the catalogue. */
function ownWords(text: string): string[] {
  const page = load(literal(text), { scriptingEnabled: false }, false)
  page('script, style').remove()
  const texts = page
    .root()
    .find('*')
    .addBack()
    .contents()
    .toArray()
    .flatMap((node) => (node.type === 'text' && letters.test(node.data) ? [node.data.trim()] : []))
  const attributes = page('*')
    .toArray()
    .flatMap((element) =>
      Object.entries('attribs' in element ? element.attribs : {})
        .filter(([name, value]) => spoken.includes(name) && letters.test(value) && !machine.test(value))
        .filter(([name]) => !(name === 'value' && !isButtonLike(element as never)))
        .map(([name, value]) => `${name}="${value}"`),
    )
  return [...texts, ...attributes]
}

/** The value of a field is data; that of an input button is its label. */
const isButtonLike = ({ name, attribs }: { name: string; attribs: Record<string, string> }) =>
  name === 'input' && ['submit', 'button', 'reset'].includes(attribs.type ?? '')
