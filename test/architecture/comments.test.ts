import { describe, expect, it } from 'vitest'
import { type Source, sourcesIn, withoutComments } from './sources.js'

describe('a comment', () => {
  it('is read at a glance', () => {
    const long = sourcesIn(['src', 'jobs', 'migrations']).flatMap(({ path, text }) =>
      commentsOf(text)
        .filter((words) => words.split('\n').filter((line) => /\w/.test(line)).length > most)
        .map((words) => `${path}: ${words.slice(0, 60)}`),
    )
    expect(long).toEqual([])
  })

  it('names what is there', () => {
    expect(code.flatMap(unknownNames)).toEqual([])
    // Put together, because a name that stands here is there.
    const gone = ['unknown', 'Name'].join('')
    const text = `/** \`${gone}\` is gone, \`applyPatch\` is here. */\n`
    expect(unknownNames({ path: 'a.ts', text })).toEqual([`a.ts: ${gone}`])
  })
})

/**
 * Lines of words a comment has at most: a reason, a number or a danger, in as many lines
 * as it needs, and no essay.
 */
const most = 6

const block = /^[ \t]*(\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm
const commentsOf = (text: string) => [...text.matchAll(block)].map(([, words]) => words!)

/** A name of code, such as `applyPatch`; a word alone may be a column, a value or a command. */
const camelCase = /`([a-z][a-z0-9]*[A-Z]\w*)(?:\(\))?`/g

const code = ['.ts', '.mjs', '.js', '.sql', '.eta', '.css', '.json'].flatMap((extension) =>
  sourcesIn(['src', 'jobs', 'migrations', 'views', 'static', 'test', 'tools'], extension),
)

const names = new Set(code.flatMap(({ text }) => withoutComments(text).match(/[A-Za-z_$][\w$]*/g) ?? []))

/** The names in the comments of a file that nothing has. */
const unknownNames = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] =>
  commentsOf(text)
    .flatMap((words) => [...words.matchAll(camelCase)].map(([, name]) => name!))
    .filter((name) => !names.has(name))
    .map((name) => `${path}: ${name}`)
