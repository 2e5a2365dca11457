import { createHash } from 'node:crypto'
import { load } from 'cheerio'

/** A page without its markup. `blocks`: header, footer, and the menus of its main part, by name. */
export type Outline = { title: string; lang: string; main: string; blocks: Map<string, string> }

const firstLink = (html: string) => load(html)('a')[0]!
type Element = ReturnType<typeof firstLink>
type Child = Element['children'][number]

/**
 * Options of a select that are listed one by one; of longer lists (flats, time zones) only their
 * number and a hash.
 */
const mostOptions = 20

/**
 * The outline of a page: headings, visible text, links, forms, fields and buttons, one thing a
 * line.
 */
export function outlineOf(html: string): Outline {
  const $ = load(html, { scriptingEnabled: false })
  const main = $('main')[0]
  const blocks = new Map<string, string>()
  const [inMain, before, after] = [new Writer(blocks), new Writer(), new Writer()]
  const body = $('body')[0]!.children
  const at = main ? body.indexOf(main) : -1
  for (const [i, child] of body.entries())
    if (child === main) inMain.children(main)
    else (main === undefined ? inMain : i < at ? before : after).node(child)
  if (main) blocks.set('header', before.text()).set('footer', after.text())
  return {
    title: squeezed($('head > title').text()),
    lang: $('html').attr('lang') ?? '',
    main: inMain.text(),
    blocks,
  }
}

const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim()
const textOf = (element: Element) => squeezed(contentOf(element))

function contentOf({ children }: Element): string {
  return children
    .map((child) => (child.type === 'text' ? child.data : child.type === 'tag' ? contentOf(child) : ''))
    .join('')
}

const invisible = ['script', 'style', 'template', 'head', 'svg']
const inline =
  'a abbr b bdi bdo br cite code data em i img kbd label mark q s small span strong sub sup time u var wbr'.split(
    ' ',
  )

/** Writes elements as lines. `menus`: where a menu's own lines go instead, by its name. */
class Writer {
  private readonly lines: string[] = []
  private line = ''
  private indent = ''

  constructor(private readonly menus?: Map<string, string>) {}

  text(): string {
    this.end()
    return this.lines.join('\n')
  }

  children(parent: Element): void {
    for (const child of parent.children) this.node(child)
  }

  node(node: Child): void {
    if (node.type === 'text') this.line += node.data
    if (node.type !== 'tag' || invisible.includes(node.name) || 'hidden' in node.attribs) return
    if (node.name === 'nav' && this.menus) this.menu(node, this.menus)
    else if (inline.includes(node.name)) this.inline(node)
    else this.block(node)
  }

  /**
   * Leaves a line with the entry that is the current one, whose name a menu may also have in its
   * summary.
   */
  private menu(nav: Element, menus: Map<string, string>): void {
    const name = `menu ${nav.attribs['aria-label'] ?? ''}`.trim()
    const current = squeezed(load(nav)('[aria-current]').first().text())
    const own = new Writer()
    own.node(nav)
    const lines = own.text().split('\n')
    const shared = lines.map((line) =>
      line.startsWith('> ') && line.endsWith(current) ? line.slice(0, line.length - current.length) : line,
    )
    menus.set(name, shared.join('\n'))
    this.whole(`(${name}${current && `, at ${current}`})`)
  }

  private inline(element: Element): void {
    const { name, attribs } = element
    if (name === 'br') this.end()
    else if (name === 'img') this.line += `![${attribs.alt ?? ''}](${attribs.src})`
    else if (name === 'a' && attribs.href !== undefined)
      this.line += `[${inlineText(element)}${labelOf(element)}](${attribs.href})`
    else this.children(element)
  }

  private block(element: Element): void {
    const { name } = element
    const field = fields[name]
    if (field) {
      for (const line of field(element)) this.whole(line)
      return
    }
    if (name === 'td' || name === 'th') {
      this.children(element)
      this.line += ' | '
      return
    }
    // A value stands behind its term.
    if (name === 'dd' && this.line.trim() !== '') this.line = `${squeezed(this.line)}: `
    else this.end()
    this.line += opening(element)
    const before = this.indent
    if (name === 'form' || name === 'fieldset') {
      this.end()
      this.indent += '  '
    }
    this.children(element)
    if (name !== 'dt') this.end()
    this.indent = before
  }

  private whole(line: string): void {
    this.end()
    this.line = line
    this.end()
  }

  private end(): void {
    const line = squeezed(this.line).replace(/ \|$/, '')
    if (line !== '' && line !== '-') this.lines.push(this.indent + line)
    this.line = ''
  }
}

/** What stands in a link, in one line. */
function inlineText(link: Element): string {
  const writer = new Writer()
  writer.children(link)
  return writer.text().replaceAll('\n', ' ')
}

/** What a screen reader says instead of the content, where that is something else. */
function labelOf(element: Element): string {
  const label = element.attribs['aria-label']
  return label === undefined || label === textOf(element) ? '' : ` {${label}}`
}

/** How the first line of a block begins. */
function opening(element: Element): string {
  const { name, attribs } = element
  const label = attribs['aria-label'] === undefined ? '' : `{${attribs['aria-label']}} `
  if (/^h[1-6]$/.test(name)) return `${'#'.repeat(Number(name[1]))} ${label}`
  if (name === 'form')
    return `form ${(attribs.method ?? 'get').toUpperCase()} ${attribs.action ?? ''} ${attribs.enctype ?? ''}`
  if (name === 'li') return `- ${label}`
  if (name === 'summary') return `> ${label}`
  return label
}

/** The lines of everything that can be filled in or pressed. */
const fields: Record<string, (element: Element) => string[]> = {
  input: ({ attribs }) => [fieldLine(attribs.type ?? 'text', attribs, attribs.value)],
  textarea: (element) => [fieldLine('textarea', element.attribs, contentOf(element).trim())],
  button: (element) => [
    fieldLine(`button "${textOf(element)}"${labelOf(element)}`, element.attribs, element.attribs.value),
  ],
  select: (element) => [fieldLine('select', element.attribs, undefined), ...optionsOf(element)],
}

function fieldLine(kind: string, attribs: Record<string, string>, value: string | undefined): string {
  const marks = ['checked', 'required', 'disabled', 'multiple'].filter((mark) => mark in attribs)
  const parts = [kind, attribs.name, value && `= ${JSON.stringify(value)}`]
  return [...parts, attribs.formaction && `to ${attribs.formaction}`, ...marks].filter(Boolean).join(' ')
}

/** An asterisk before the selected one. */
function optionsOf(select: Element): string[] {
  const options = load(select)('option')
    .toArray()
    .map((option) => ({
      isSelected: 'selected' in option.attribs,
      line: `${JSON.stringify(option.attribs.value ?? '')} ${textOf(option)}`,
    }))
  const lines = options.map(({ isSelected, line }) => `${isSelected ? '*' : '-'} ${line}`)
  if (options.length <= mostOptions) return lines
  const hash = createHash('sha256').update(options.map(({ line }) => line).join('\n'))
  const selected = lines.filter((line) => line.startsWith('*'))
  return [`- ${options.length} options, SHA-256 begins with ${hash.digest('hex').slice(0, 12)}`, ...selected]
}
