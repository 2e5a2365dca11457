import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, readCheckout } from '../support/compiled.js'

describe('docs/operate/troubleshooting.md', () => {
  const page = readCheckout('docs/operate/troubleshooting.md')

  /**
   * What the page says one sees: the quoted words of the first cell of each row, in the
   * tables of what is logged.
   */
  const quoted = page
    .split('\n## ')
    .filter((section) => /^(It does not start|The database|Email|Photos|Backups)\n/.test(section))
    .flatMap((section) => section.split('\n\n').filter((part) => !part.startsWith('| the line goes on')))
    .flatMap((part) => [...part.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!))
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, words]) => words!))
    // The words of PostgreSQL, with its SQLSTATE.
    .filter((words) => !/\(\d[\dA-Z]{4}\)/.test(words))

  it('quotes lines', () => expect(quoted.length).toBeGreaterThan(15))

  it.each(quoted)('quotes what Caretaker says: %s', (words) => {
    expect(fixed(words).filter((part) => !sources.includes(part))).toEqual([])
  })
})

const sources = ['src', 'jobs']
  .flatMap((folder) =>
    readdirSync(path.join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => readCheckout(path.join(folder, file))),
  )
  .join('\n')

/**
 * The parts that stand in the code as they are: not what differs each time,
 * such as numbers and names.
 */
const fixed = (words: string) =>
  words
    .split(/…|: |\d+|[A-Z][A-Z0-9]*_[A-Z0-9_]+|\(\w+\)| E[A-Z]{4,}|sslrootcert/)
    .map((part) => part.trim())
    .filter((part) => part.length >= 8)
