import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

describe('a line', () => {
  it('spreads no literal: each value of a list or an object is written where it belongs', () => {
    expect(refused((line) => spreadLiteral.test(line))).toEqual([])
  })

  it('of a comment is short enough to be read beside the code', () => {
    expect(refused((line) => comment.test(line) && line.length > longestComment)).toEqual([])
  })

  it('of the documents for developers ends before the reader has lost its beginning', () => {
    const long = sourcesIn(['docs/develop'], '.md').flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => line.length > longestProse)
        .map((line) => `${path}: ${line.slice(0, 60)}`),
    )
    expect(long).toEqual([])
  })
})

const folders = ['src', 'jobs', 'migrations', 'test', 'tools']

const sources = [
  ...sourcesIn(folders),
  ...sourcesIn(folders, '.mjs'),
  ...sourcesIn(['static'], '.js'),
  ...sourcesIn(['static'], '.css'),
]

/** A literal that is spread to put several values on one line, such as fields of an object. */
const spreadLiteral = /\.\.\.(?:[[{]|\(\[[^\]]*\] as const\))/

/** A line that is a comment, or a part of one. */
const comment = /^\s*(?:\/\/|\/\*|\*[ /])/

const longestComment = 100
const longestProse = 400

/** The lines that a rule refuses, each with its place. */
const refused = (isRefused: (line: string) => boolean): string[] =>
  sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, i) => ({ line, place: `${path}:${i + 1}` }))
      .filter(({ line }) => isRefused(line))
      .map(({ line, place }) => `${place} ${line.trim()}`),
  )
