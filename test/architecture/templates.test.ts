import { describe, expect, it } from 'vitest'
import { texts } from '../../src/text/index.js'
import { sourcesIn } from './sources.js'

describe('templates', () => {
  it('print raw only what is itself a template', () => {
    expect(offenders(/<%~(?! (include\('\/[\w/]*'|it\.body %>))[^%]*%>/g)).toEqual([])
  })

  it('are short: a longer page is a list of its parts', () => {
    const lengths = templates.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    expect(lengths.filter(({ lines }) => lines > 65)).toEqual([])
  })

  it('have lines of at most 120 columns', () => {
    expect(offenders(/^.{121,}$/gm)).toEqual([])
  })

  it('hand no part everything they have: it is given what it shows, by name', () => {
    expect(offenders(/\.\.\.it\b(?!\.(?!form\())/g)).toEqual([])
    expect(offenders(/include\(\s*'[^']*',\s*it\b[^,)]*/g)).toEqual([])
  })

  it('name one value a line', () => {
    expect(offenders(/\bconst\b.*;.*\bconst\b.*/g)).toEqual([])
  })

  it('have no script or style in them, as the content security policy demands', () => {
    expect(offenders(/<script(?! src=)|\son[a-z]+=|javascript:/gi)).toEqual([])
    // Emails have no style sheet beside them, and no policy.
    const styled = offenders(/<style|\sstyle=/gi)
    expect(styled.filter((offence) => !offence.startsWith('views/notifications/emails/'))).toEqual([])
  })

  it('have the words of an incident’s status from `h`, which knows why it was closed (decision 7.14)', () => {
    expect(offenders(/\bt\.(status|statusMeaning)\[[^\]]*\]/g)).toEqual([])
  })

  it('use only the part of htmx that both its lines have', () => {
    expect(
      offenders(
        /hx-(?!(get|post|target|swap|select|trigger|include|sync|push-url|replace-url|confirm|indicator)=)[\w:-]+/g,
      ),
    ).toEqual([])
    expect(offenders(/hx-trigger="[^"]*\[[^"]*"/g)).toEqual([])
  })

  it('name no word that the catalogue does not have', () => {
    const unknown = templates.flatMap(({ path, text }) =>
      wordsNamedIn(text)
        .filter((name) => !isInCatalogue(name))
        .map((name) => `${path}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('name no class that no style sheet has: what it was for is not there', () => {
    const known = new Set(
      sourcesIn(['static/css'], '.css').flatMap(({ text }) =>
        [...text.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name),
      ),
    )
    const unknown = templates
      .filter(({ path }) => !path.startsWith('views/notifications/emails/'))
      .flatMap(({ path, text }) =>
        [...text.replaceAll(/<%.*?%>/gs, ' ').matchAll(/\sclass="([^"]*)"/g)]
          .flatMap(([, names]) => names!.split(/\s+/))
          .filter((name) => name && !known.has(name))
          .map((name) => `${path}: ${name}`),
      )
    expect(unknown).toEqual([])
  })

  it('name the fields of a form by labels', () => {
    for (const { path, text } of templates) {
      const ids = [
        ...text.matchAll(/<(?:input|select|textarea)(?![^>]*type="hidden")[^>]*?\sid="([^"]+)"/g),
      ].map(([, id]) => id)
      for (const id of ids) expect(text, `${path}: ${id}`).toContain(`for="${id}"`)
    }
  })
})

const templates = sourcesIn(['views'], '.eta')

/** Where the pages break one of the house's rules for templates. */
function offenders(rule: RegExp): string[] {
  return templates.flatMap(({ path, text }) => [...text.matchAll(rule)].map(([found]) => `${path}: ${found}`))
}

/**
 * The words a template names, as paths in the catalogue; `const p = t.desk` makes `p.title` one.
 */
function wordsNamedIn(text: string): string[] {
  const places = new Map([['t', '']])
  const code = [...text.matchAll(/<%([\s\S]*?)%>/g)].map(([, inside]) => inside!).join('\n')
  for (const [, name, from, path] of code.matchAll(/\b(\w+) = (\w+)((?:\.\w+)+)(?=[;,\s])/g))
    if (places.has(from!) && !places.has(name!)) places.set(name!, places.get(from!)! + path)
  return [...code.matchAll(/(?<![\w.'"`])(\w+)((?:\.\w+)+)/g)]
    .filter(([, from]) => places.has(from!))
    .map(([, from, path]) => places.get(from!)! + path)
}

/**
 * Whether it leads to a text; what follows a text, as `.length` does, is none of the catalogue's.
 */
function isInCatalogue(path: string): boolean {
  let at: unknown = texts.en
  for (const name of path.split('.').slice(1)) {
    if (typeof at !== 'object' || at === null) return true
    at = (at as Record<string, unknown>)[name]
  }
  return at !== undefined
}
