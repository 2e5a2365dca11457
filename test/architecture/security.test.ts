import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, readCheckout } from '../support/compiled.js'

describe('the security pages', () => {
  it('answers each row of ASVS 5.0, levels 1 and 2, once', () => {
    expect(required).toHaveLength(253)
    expect(rows.flatMap(({ numbers }) => numbers).sort()).toEqual(required.toSorted())
  })

  it('gives a verdict and what it stands on', () => {
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(
      new Set(['met', 'not applicable', 'accepted']),
    )
    expect(rows.filter(({ by }) => by.length < 5)).toEqual([])
  })

  it('names only files that are there', () => {
    const named = [...document.matchAll(/`((?:src|test|docs|views|static|migrations)\/[\w./-]*)`/g)]
    expect(named.length).toBeGreaterThan(30)
    expect(named.map(([, file]) => file!).filter((file) => !existsSync(path.join(checkout, file)))).toEqual(
      [],
    )
  })
})

const document = ['overview', 'data-protection', 'hardening', 'asvs']
  .map((page) => readCheckout(`docs/security/${page}.md`))
  .join('\n')

/**
 * The rows of levels 1 and 2 in OWASP ASVS 5.0, as section and how many: rows of level 3 come
 * last but for those named.
 */
const sections: Record<string, number> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
}

const required = Object.entries(sections).flatMap(([section, rows]) =>
  Array.from({ length: rows }, (_, i) => `${section}.${i + 1}`),
)

const rows = document
  .slice(document.indexOf('| rows | verdict |'))
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, numbers = '', verdict = '', by = '']) => ({
    numbers: numbers.split(', ').flatMap(each),
    verdict,
    by,
  }))

/** "10.3.1–10.3.4" as its four rows. */
function each(numbers: string): string[] {
  const [first = '', last = first] = numbers.split('–')
  const section = first.slice(0, first.lastIndexOf('.'))
  const [from, to] = [first, last].map((number) => Number(number.slice(number.lastIndexOf('.') + 1)))
  return Array.from({ length: to! - from! + 1 }, (_, i) => `${section}.${from! + i}`)
}
