import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/app/routes.js'
import { describe as described } from '../../src/platform/http/description/document.js'
import { faultsIn, type SeenAnswer } from '../../tools/fuzz/oracle.js'
import { askers, sequencesOf } from '../../tools/fuzz/requests.js'
import { keys } from '../support/keys.js'

describe('what looks at the answers of drawn requests', () => {
  const problem = {
    type: 'urn:x',
    title: 'No',
    detail: 'Send a title.',
    status: 422,
    code: 'invalid',
    requestId: 'r',
    errors: { title: ['Say in a few words what is wrong'] },
  }

  const refused = (given: object): Partial<SeenAnswer> => ({
    status: 422,
    type: 'application/problem+json',
    text: JSON.stringify({ ...problem, ...given }),
  })

  /** An answer with a fault, and what is said of it. */
  const planted: [Partial<SeenAnswer>, RegExp][] = [
    [{ status: 500, type: 'text/plain' }, /answers 500/],
    [{ status: 503, type: 'text/plain' }, /answers 503/],
    [{ text: `key ${keys.CRON_SECRET}` }, /tells a secret/],
    [{ text: 'the canary of the hooks' }, /tells a secret/],
    [{ text: 'reported by Zuleika' }, /what is for staff/],
    [{ text: 'Error: x\n    at handle (file:///srv/app/dist/src/app/app.js:10:5)' }, /a stack/],
    [{ text: 'cannot open /usr/lib/caretaker/views/layout.eta' }, /a path/],
    [{ text: 'duplicate key value violates unique constraint "users_email"' }, /SQL/],
    [{ text: 'select id, name from users' }, /SQL/],
    [{ text: '$argon2id$v=19$m=19456' }, /a password hash/],
    [{ text: 'TypeError: x is undefined' }, /a hidden error/],
    [{ status: 404, type: 'application/json', text: '{"error":"no"}' }, /no problem document/],
    [{ status: 404, type: 'text/html', text: '<p>no</p>' }, /without words/],
    [refused({ status: 400 }), /says 400 in its body/],
    [refused({ detail: ' ' }), /does not say what to do/],
    [refused({ requestId: undefined }), /is no problem document/],
    [refused({ errors: {} }), /names no field/],
    [refused({ errors: { title: ['title_required'] } }), /a code for words/],
  ]

  it.each(planted)('finds the fault in %j', (given, said) => {
    expect(faultsIn(heard(given), 'resident', '', canaries)).toEqual([expect.stringMatching(said)])
  })

  it('finds none in what is as it must be, nor in what the request said itself', () => {
    for (const [given, who, sent] of [
      [{}, 'guest', ''],
      [refused({}), 'guest', ''],
      [{ status: 503, type: 'text/plain', retryAfter: '5' }, 'guest', ''],
      [{ text: 'reported by Zuleika' }, 'manager', ''],
      [{ text: '"select id from users" is no title' }, 'guest', 'q=select id from users'],
    ] as const)
      expect(faultsIn(heard(given), who, sent, canaries)).toEqual([])
  })

  it('is given the same by the same seed, of every operation, for everybody who asks, a fifth as bytes', () => {
    const document = described(routes)
    const draw = (numRuns: number) => fc.sample(sequencesOf(document), { seed: 5, numRuns })
    const sequences = draw(900)
    expect(JSON.stringify(draw(50))).toBe(JSON.stringify(sequences.slice(0, 50)))
    const drawn = sequences.flat()
    expect(new Set(drawn.map(({ who }) => who))).toEqual(new Set(askers))
    const raw = drawn.filter(({ wounds }) => wounds !== null).length / drawn.length
    expect(raw).toBeGreaterThan(0.15)
    expect(raw).toBeLessThan(0.3)
    const wounds = drawn.flatMap((each) => each.wounds ?? [])
    expect(wounds.length).toBeGreaterThanOrEqual(raw * drawn.length)
    expect(wounds.some(({ cut }) => cut > 0)).toBe(true)
    const shape = (path: string) =>
      new RegExp(`^(?:${path.replace(/\{\w+\}/g, '[^?]+').replace(/^\/api/, '(?:/api)?')})(?:\\?|$)`)
    const missing = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter(
          (method) =>
            !drawn.some((each) => each.method === method.toUpperCase() && shape(path).test(each.path)),
        )
        .map((method) => `${method} ${path}`),
    )
    expect(missing).toEqual([])
  })
})

const canaries = { secrets: ['the canary of the hooks'], forStaff: ['Zuleika'] }

const heard = (given: Partial<SeenAnswer>): SeenAnswer => ({
  status: 200,
  type: 'application/json',
  text: '{}',
  retryAfter: null,
  ...given,
})
