import { describe, expect, it } from 'vitest'
import { sourcesIn } from '../../architecture/sources.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'

const house = useHouse()

describe('an answer whose form the request chooses', () => {
  /** Answers of every kind, good and bad, whose form a request's headers choose. */
  const asked: [string, Who, string, RequestInit & { form?: Record<string, string> }, number][] = [
    ['the status', 'guest', '/', {}, 200],
    ['the status with a notice', 'guest', '/?notice=signedOut', {}, 200],
    ['the status of somebody known', 'resident', '/', {}, 200],
    ['a page', 'guest', '/incidents', {}, 200],
    ['data', 'guest', '/api/incidents', {}, 200],
    ['no such page', 'guest', '/nowhere', {}, 404],
    ['no such data', 'guest', '/api/nowhere', {}, 404],
    ['no such method', 'guest', '/incidents', { method: 'DELETE' }, 405],
    ['a page for those who sign in', 'guest', '/account', {}, 401],
    ['data for those who sign in', 'guest', '/api/account', {}, 401],
    ['a page of the office', 'resident', '/admin', {}, 403],
    ['a filter there is not', 'guest', '/incidents?status=gone', {}, 400],
    ['a refused form', 'resident', '/report', { form: { title: '' } }, 422],
  ]

  it.each(asked)('names all that chooses: %s', async (_what, who, path, { form, ...asked }, status) => {
    const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const headers = { ...(path.startsWith('/api') ? {} : html) }
    const answer = await house.ask(who, path, {
      headers,
      ...(asked.method ? { method: asked.method } : {}),
      ...(form ? { form } : {}),
    })
    const vary = (answer.headers.get('vary') ?? '').toLowerCase().split(/,\s*/)
    expect([answer.status, names.filter((name) => !vary.includes(name))]).toEqual([status, []])
  })

  it('is told in one place what chooses', () => {
    const given = sourcesIn(['src']).flatMap(({ text }) =>
      [...text.matchAll(/\bvary(?:\(|: )([\w'-]+)/g)].map(([, what]) => what),
    )
    expect([...new Set(given)].sort()).toEqual(["'Accept-Encoding'", 'string', 'varying', 'varyingData'])
  })
})

const names = [
  'accept',
  'accept-language',
  'authorization',
  'cookie',
  'hx-request',
  'hx-history-restore-request',
]
