import { expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

/**
 * Lines of words a comment has at most: a reason, a number or a danger, in as many lines
 * as it needs, and no essay.
 */
const most = 6
const block = /^[ \t]*(\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm

it('a comment is read at a glance', () => {
  const long = sourcesIn(['src', 'jobs', 'migrations']).flatMap(({ path, text }) =>
    [...text.matchAll(block)]
      .filter(([, words]) => words!.split('\n').filter((line) => /\w/.test(line)).length > most)
      .map(([, words]) => `${path}: ${words!.slice(0, 60)}`),
  )
  expect(long).toEqual([])
})
