import type { House } from '../house/house.js'
import { type Examples, pageRoutes, type Reader } from '../pages.js'
import { type Outline, outlineOf } from './outline.js'
import { steady } from './steady.js'

/** Pages that are for somebody else than those who may see most: these get files of their own. */
const alsoFor: Record<string, Reader> = {
  '/incidents/:id': 'resident',
  '/my-reports': 'resident',
}

/** Pages that have a file in Spanish, too, as guests get them. */
const inSpanish = ['/', '/report', '/sign-in']

/** A page at one of its addresses, as somebody gets it. */
type PageView = { file: string; who: Reader; address: string; outline: Outline }

/**
 * A file for each page and role, by its name: as the role that may see most, and as a guest where
 * guests may.
 */
export async function pageTexts(house: House, examples: Examples): Promise<Map<string, string>> {
  const views: PageView[] = []
  for (const { path, readers } of pageRoutes()) {
    const addresses = examples[path]
    if (!addresses) throw new Error(`${path} has no example in test/support/pages.ts`)
    const most = readers.at(-1)!
    for (const who of readers.filter((each) => [most, 'guest', alsoFor[path]].includes(each)))
      for (const address of addresses) views.push(await viewPage(house, who, path, address))
    if (inSpanish.includes(path)) views.push(await viewPage(house, 'guest', path, addresses[0]!, 'es'))
  }
  return textsOf(views)
}

async function viewPage(
  house: House,
  who: Reader,
  path: string,
  address: string,
  locale = '',
): Promise<PageView> {
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'accept-language': locale || 'en' }
  const answer = await house.ask(who, address, { headers })
  if (answer.status !== 200) throw new Error(`${who} ${address}: ${answer.status}`)
  const outline = outlineOf(steady(withoutAddress(await answer.text(), address)))
  const page = path === '/' ? 'status' : path.slice(1).replaceAll('/', '-').replaceAll(':', '')
  const file = [page, who, ...(locale ? [locale] : []), 'txt'].join('.')
  return { file, who, address: steady(address), outline }
}

/**
 * The form that changes the language leads back to where it was sent from, and the header to a
 * report of what the page is about, which would make each frame another.
 */
function withoutAddress(html: string, address: string): string {
  const escaped = address.replaceAll('&', '&amp;')
  return html
    .replaceAll(`name="next" value="${escaped}"`, 'name="next" value="<this page>"')
    .replace(/(href="\/report)\?assetId=\d+(" aria-label=)/, '$1$2')
    .replaceAll(`&amp;next=${encodeURIComponent(address)}"`, '&amp;next=<this page>"')
}

function textsOf(views: PageView[]): Map<string, string> {
  const texts = new Map<string, string>()
  const add = (file: string, text: string) => texts.set(file, `${texts.get(file) ?? ''}${text}\n`)
  for (const who of new Set(views.map((each) => each.who))) {
    const frame = frameOf(views.filter((each) => each.who === who))
    for (const [name, text] of frame) add(`frame.${who}.txt`, `==== ${name}\n${text}`)
    for (const each of views.filter((one) => one.who === who)) {
      const twin = views.find(
        ({ address, outline }) => address === each.address && outline.main === each.outline.main,
      )!
      add(each.file, pageText(each, frame, twin.who === who ? each.outline.main : `(as ${twin.who} has it)`))
    }
  }
  return texts
}

/**
 * What most of these pages have as header, footer and menus, by their names; nothing that only one
 * of them has.
 */
function frameOf(views: PageView[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { outline } of views)
    for (const [name, text] of outline.blocks) {
      const ofName = counts.get(name) ?? new Map<string, number>()
      counts.set(name, ofName.set(text, (ofName.get(text) ?? 0) + 1))
    }
  const most = [...counts].map(([name, texts]) => {
    const [text, count] = [...texts].reduce((first, each) => (each[1] > first[1] ? each : first))
    return { name, text, count }
  })
  return new Map(most.filter(({ count }) => count > 1).map(({ name, text }) => [name, text]))
}

function pageText({ who, address, outline }: PageView, frame: Map<string, string>, main: string): string {
  const { title, lang, blocks } = outline
  const usual = [...blocks].filter(([name, text]) => frame.get(name) === text).map(([name]) => name)
  const own = [...blocks].filter(([name]) => !usual.includes(name))
  return [
    `==== ${address} as ${who}, ${lang}`,
    `title ${title}`,
    ...(usual.length > 0 ? [`(frame.${who}.txt: ${usual.join(', ')})`] : []),
    main,
    ...own.flatMap(([name, text]) => [`---- ${name}`, text]),
    '',
  ].join('\n')
}
