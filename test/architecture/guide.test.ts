import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from '../support/compiled.js'

const tables = [
  ['docs/develop/contributing.md', 'Where to change what', 30],
  ['docs/develop/architecture.md', 'Who is signed in', 5],
] as const

describe.each(tables)('%s, "%s"', (page, heading, atLeast) => {
  it('names files, functions and words that are there', () => {
    const rows = rowsOf(page, heading)
    expect(rows.length).toBeGreaterThanOrEqual(atLeast)
    expect(rows.flatMap((each) => missing(each))).toEqual([])
  })
})

describe('the look at a row', () => {
  it.each([
    ['a file', '| x | `app/noSuchFile.ts` |', 'app/noSuchFile.ts'],
    ['a file of words', '| x | `noSuchWords.ts` in `text/en/` |', 'noSuchWords.ts'],
    ['a function', '| x | `noSuchFunction` |', 'noSuchFunction'],
    ['a function of another file', '| x | `applyPatch` in `app/sweep.ts` |', 'applyPatch in app/sweep.ts'],
    [
      'a name that its file only imports',
      '| x | `LinkData` and `linkPurposes` in `platform/links/emailLinks.ts` |',
      'linkPurposes in platform/links/emailLinks.ts',
    ],
  ])('names %s that is not there', (_what, row, fault) => {
    const named = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
    expect(missing({ row, named })).toContain(fault)
  })
})

/** Paths of the guide are below `src/`, or stand at the root. */
const roots = ['src', '.']

const languages = ['src/text/en', 'src/text/es']

const locate = (name: string) =>
  roots.map((root) => path.join(root, name)).find((at) => existsSync(inside(at)))

const inside = (file: string) => path.join(checkout, file)

function textOf(file: string): string {
  if (!statSync(inside(file)).isDirectory()) return readFileSync(inside(file), 'utf8')
  return readdirSync(inside(file), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|sql|eta|css|json)$/.test(name))
    .map((name) => readFileSync(inside(path.join(file, name)), 'utf8'))
    .join('\n')
}

/** Everything a name without a file may stand in. */
const all = ['src', 'migrations', 'static', 'test/support'].map(textOf).join('\n')

const hasWord = (text: string, word: string) => new RegExp(`(?<![\\w])${word}\\b`).test(text)

/** Whether a text declares a name: as a variable, function, class or type, a field, or a style. */
function declares(text: string, name: string): boolean {
  if (name.startsWith('.')) return hasWord(text, `\\${name}`)
  const declared = new RegExp(`\\b(?:const|let|var|function\\*?|class|type|interface)\\s+${name}\\b`)
  const field = new RegExp(`(?:^|[{,])\\s*(?:async )?${name}\\??(?::|\\()`, 'm')
  return declared.test(text) || field.test(text)
}

/** The rows of every table below a heading, with what each names in code. */
function rowsOf(page: string, heading: string): { row: string; named: string[] }[] {
  const section = readFileSync(inside(page), 'utf8').split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| word') && !line.startsWith('| to…'))
    .map((row) => ({ row, named: [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!) }))
}

const isPath = (name: string) => /^[\w./-]+$/.test(name) && name.includes('/')
const isWordFile = (name: string) => /^\w+\.ts$/.test(name)
const isName = (name: string) => /^\.?\w+$/.test(name)

/** What a row names that is not there. */
function missing({ row, named }: { row: string; named: string[] }): string[] {
  const paths = named.filter(isPath).filter((name) => !locate(name))
  const words = named
    .filter(isWordFile)
    .filter((name) => !languages.every((folder) => existsSync(inside(path.join(folder, name)))))
  // "`name` in `file`" promises that the name is declared in that very file.
  const promised = [...row.matchAll(/((?:`\.?\w+`(?:, | and ))*`\.?\w+`),? in `([^`]+\/[^`]*)`/g)]
  const astray = promised.flatMap(([, names, file]) =>
    [...names!.matchAll(/`([^`]+)`/g)]
      .map(([, name]) => name!)
      .filter((name) => !isWordFile(name))
      .filter((name) => locate(file!) && !declares(textOf(locate(file!)!), name))
      .map((name) => `${name} in ${file}`),
  )
  const unknown = named.filter(isName).filter((name) => !hasWord(all, name))
  return [...paths, ...words, ...astray, ...unknown]
}
