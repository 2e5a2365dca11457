import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, readCheckout } from '../support/compiled.js'
import { sourcesIn } from './sources.js'

describe('a comment that cites', () => {
  const pages = readdirSync(path.join(checkout, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join('docs', file))

  const texts = [
    ...sourcesIn(['src', 'jobs', 'migrations', 'test', 'tools']),
    { path: 'README.md', text: readCheckout('README.md') },
    ...pages.map((path) => ({ path, text: readCheckout(path) })),
  ]

  it('a decision means one that stands in docs/develop/decisions.md', () => {
    const named = texts.flatMap(({ path: file, text }) =>
      [...text.matchAll(decisionsNamed)].flatMap(([, list]) =>
        [...list!.matchAll(/\d+\.\d+/g)].map(([number]) => ({ file, number })),
      ),
    )
    expect(named.length).toBeGreaterThan(200)
    expect(named.filter(({ number }) => !decisions.has(number))).toEqual([])
  })

  it('a decision of section 9 means one that is built, and each of those is cited', () => {
    const [, list] = /^Not built yet: (.*?)\. Until/m.exec(decisionsPage)!
    const planned = new Set(
      list!.split(/, | and /).flatMap((range) => {
        const [from, to = from] = range.split(' to ').map((number) => Number(number.split('.')[1]))
        return Array.from({ length: to! - from! + 1 }, (_, i) => `9.${from! + i}`)
      }),
    )
    const code = sourcesIn(['src', 'jobs', 'migrations', 'test'])
    const cited = new Set(
      code.flatMap(({ text }) =>
        [...text.matchAll(decisionsNamed)].flatMap(([, list]) => list!.match(/\d+\.\d+/g)!),
      ),
    )
    const third = [...decisions].filter((number) => number!.startsWith('9.'))
    expect(third.filter((number) => planned.has(number!) === cited.has(number!))).toEqual([])
    const marked = decisionsPage.matchAll(/^### (9\.\d+) .*\n\n\*\*Not built yet\.\*\* Today: \S/gm)
    expect(Array.from(marked, ([, number]) => number)).toEqual([...planned])
  })

  it('a decision is found in the list of contents of its page, in the order of the page', () => {
    const headings = decisionsPage.matchAll(/^###? (\d.*)$/gm)
    const listed = decisionsPage.matchAll(/^ *- \[(\d.*)\]\(#.*\)$/gm)
    const titles = Array.from(headings, ([, title]) => title!.replaceAll('`', ''))
    expect(Array.from(listed, ([, title]) => title)).toEqual(titles)
  })

  it('the specification means a section and a rule of docs/develop/specification.md', () => {
    const named = texts.flatMap(({ path: file, text }) =>
      [...text.matchAll(promisesNamed)].map(([, section, rule]) => ({ file, section: section!, rule })),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ section, rule }) => !isPromised(section, rule))).toEqual([])
  })
})

it('a script that is started by its path is there: no compiler looks for it', () => {
  const started = sourcesIn(['src', 'jobs', 'test', 'tools']).flatMap(({ path: file, text, imports }) =>
    [...text.matchAll(/'(\.{1,2}\/[^'\n]+)\.js'/g)]
      .map(([, target]) => `${path.posix.join(path.posix.dirname(file), target!)}.ts`)
      .filter((target) => !imports.includes(target)),
  )
  expect(started).toContain('tools/bench/servers/caretaker.ts')
  expect(started.filter((file) => !existsSync(path.join(checkout, file)))).toEqual([])
})

describe('a file that is named as text', () => {
  it('is one that is compiled, also where only the whole run starts it', () => {
    const named = sourcesIn(['test', 'tools']).flatMap(({ path: file, text }) =>
      [...text.matchAll(/\bcompiledFile\('([^']+)'\)/g)].map(([, source]) => ({ file, source: source! })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ source }) => !existsSync(path.join(checkout, source)))).toEqual([])
  })
})

const decisionsPage = readCheckout('docs/develop/decisions.md')

const decisions = new Set([...decisionsPage.matchAll(/^### (\d+\.\d+) /gm)].map(([, number]) => number))

const sections = readCheckout('docs/develop/specification.md')
  .split(/^## (?=§)/m)
  .slice(1)

/** Whether the specification has this section and, where one is named, this rule of it. */
function isPromised(section: string, rule: string | undefined): boolean {
  const text = sections.find((each) => each.startsWith(`§${section} `))
  return text !== undefined && (rule === undefined || new RegExp(`^${rule}\\. `, 'm').test(text))
}

/** "decisions 2.9, 7.3 and 7.5" names three. */
const decisionsNamed = /\bdecisions? ((?:\d+\.\d+(?:[,;]? and |[,;] (?:decision )?|–)?)+)/gi

const promisesNamed = /\bspec §(\d+)(?: rules? (\d+))?/g
