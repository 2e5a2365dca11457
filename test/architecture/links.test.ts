import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, readCheckout } from '../support/compiled.js'

describe('a page of the documentation', () => {
  it('links to files, and to headings in them, that are there', () => {
    const broken = pages.flatMap((page) =>
      [...withoutCode(readCheckout(page)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [file, anchor] = target.split('#')
          const linked = file ? path.posix.join(path.posix.dirname(page), file) : page
          if (!existsSync(path.join(checkout, linked))) return true
          return anchor !== undefined && !anchorsOf(linked).includes(anchor)
        })
        .map((target) => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('is found from the README', () => {
    const found = new Set(['README.md'])
    for (const page of found)
      for (const [, target] of readCheckout(page).matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g))
        if (!/^[a-z]+:/.test(target!)) found.add(path.posix.join(path.posix.dirname(page), target!))
    expect(pages.filter((page) => !found.has(page))).toEqual([])
  })

  it('has no line of prose that is hard to read', () => {
    const long = pages
      .filter((page) => !ofRows.test(page))
      .flatMap((page) =>
        prose(readCheckout(page))
          .split('\n')
          .filter((line) => line.length > 400)
          .map((line) => `${page}: ${line.slice(0, 60)}`),
      )
    expect(long).toEqual([])
  })

  it('is short where it is read first', () => {
    expect(readCheckout('README.md').split('\n').length).toBeLessThanOrEqual(80)
  })

  it('names commands that are there', () => {
    const { scripts } = JSON.parse(readCheckout('package.json')) as { scripts: Record<string, string> }
    const commands = [
      /npm run (?:--silent )?([a-z:]+)/g,
      /(?:^ *|`)caretaker ([a-z]+)/gm,
      /dist\/jobs\/(\w+)\.js/g,
    ]
    const named = pages.flatMap((page) =>
      commands.flatMap((command) => Array.from(readCheckout(page).matchAll(command), ([, name]) => name!)),
    )
    expect(named.length).toBeGreaterThan(50)
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

const pages = [
  'README.md',
  'CHANGELOG.md',
  'tools/README.md',
  ...readdirSync(path.join(checkout, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join('docs', file.split(path.sep).join('/'))),
]

/** Without blocks and code, in which brackets mean something else. */
const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')

/** As one reads it: without where links lead, and without tables. */
const prose = (text: string) =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^\|.*$/gm, '')

/** As GitHub makes them of headings. */
const anchorsOf = (file: string) =>
  [...readCheckout(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Pages whose lines are rows of a contract or of a list of facts, which are long. */
const ofRows = /^docs\/develop\/|^docs\/security\/|^CHANGELOG/
