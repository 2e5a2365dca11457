import { beforeAll, describe, expect, it } from 'vitest'
import { useApp, type Who } from '../../support/app.js'

/** Spec §7, row by row, with the codes and the error body of decisions 4.1 and 4.2. Who gets 401 or 403: contract5. */
const app = useApp()
let assetId: number
let unitId: number

beforeAll(async () => {
  assetId = (await app.json('guest', '/api/status')).assets[0].id
  unitId = (await app.json('guest', '/api/units'))[0].id
})

const report = async (): Promise<number> =>
  (await app.json('resident', '/api/incidents', { json: { assetId, title: 'x', severity: 'low' } })).id

type Case = [what: string, status: number, code: string, ask: () => Promise<Response>]
const post = (who: Who, path: string, json: unknown = {}) => app.ask(who, path, { json })

const cases: Case[] = [
  ['contacts without a credential', 401, 'unauthenticated', () => app.ask('guest', '/api/contacts')],
  [
    'a wrong password',
    401,
    'wrong_credentials',
    () => post('guest', '/api/auth/sign-in/email', { email: 'board@example.com', password: 'wrong' }),
  ],
  ['a role that is not enough', 403, 'forbidden', () => app.ask('resident', '/api/admin/webhooks')],
  [
    'a report with neither place',
    422,
    'invalid',
    () => post('resident', '/api/incidents', { title: 'x', severity: 'low' }),
  ],
  [
    'a report with both places',
    422,
    'invalid',
    () => post('mobile', '/api/incidents', { assetId, unitId, title: 'x', severity: 'low' }),
  ],
  [
    'a report of nothing known',
    422,
    'invalid',
    () => post('mobile', '/api/incidents', { assetId: 999_999, title: 'x', severity: 'low' }),
  ],
  [
    'a comment without words',
    422,
    'invalid',
    async () => post('mobile', `/api/incidents/${await report()}/updates`, {}),
  ],
  [
    'a verification without an answer',
    422,
    'invalid',
    async () => post('mobile', `/api/incidents/${await report()}/verify`, {}),
  ],
  [
    'a verification of what is open',
    409,
    'incident_not_resolved',
    async () => post('mobile', `/api/incidents/${await report()}/verify`, { fixed: true }),
  ],
  [
    'a phone of no platform',
    422,
    'invalid',
    () => post('mobile', '/api/devices', { token: 'x', platform: 'windows' }),
  ],
  ['a mail without a sender', 422, 'invalid', () => post('inbound', '/api/inbound-email', { subject: 'x' })],
  ['a missing incident', 404, 'not_found', () => app.ask('guest', '/api/incidents/2000000000')],
  ['an id that is none', 404, 'not_found', () => app.ask('guest', '/api/incidents/1e3')],
  ['a missing asset', 404, 'not_found', () => app.ask('guest', '/api/assets/2000000000')],
  ['a missing photo', 404, 'not_found', () => app.ask('guest', `/api/photos/00/00/${'0'.repeat(32)}.jpg`)],
  ['a sticker of nothing', 404, 'asset_not_found', () => app.ask('guest', '/r/999999')],
  ['an unknown filter value', 400, 'bad_query', () => app.ask('guest', '/api/incidents?status=new')],
  [
    'half a body',
    400,
    'malformed_body',
    () =>
      app.ask('resident', '/api/incidents', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"title":',
      }),
  ],
  [
    'a body of another kind',
    415,
    'unsupported_type',
    () =>
      app.ask('resident', '/api/incidents', {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: 'title\nx',
      }),
  ],
  [
    'a body that is too large',
    413,
    'too_large',
    () => post('resident', '/api/incidents', { description: 'x'.repeat(1_200_000) }),
  ],
  [
    'another method',
    405,
    'method_not_allowed',
    () => app.ask('resident', '/api/status', { method: 'DELETE' }),
  ],
  ['another address', 404, 'not_found', () => app.ask('guest', '/api/nowhere')],
]

describe('an error', () => {
  it.each(cases)('%s is %d %s, as a problem document', async (_what, status, code, ask) => {
    const answer = await ask()
    const accepted = answer.headers.get('content-type') ?? ''
    expect(answer.status).toBe(status)
    if (accepted.startsWith('text/html')) return expect(await answer.text()).toContain('<h1>')
    const problem = await answer.json()
    expect(accepted).toMatch(/^application\/problem\+json/)
    expect(problem).toMatchObject({
      type: `urn:caretaker:problem:${code}`,
      title: expect.any(String),
      detail: expect.any(String),
      status,
      code,
      requestId: answer.headers.get('x-request-id'),
    })
    if (status === 422)
      for (const texts of Object.values(problem.errors)) expect(texts).toEqual([expect.any(String)])
    expect(JSON.stringify(problem)).not.toMatch(/select |\/src\/|\/node_modules\/|at \w+ \(/)
  })
})

describe('a request for a merged duplicate', () => {
  it('gets a pointer instead of a normal answer: reads 200, writes 409', async () => {
    const [duplicate, target] = [await report(), await report()]
    await app.json('manager', `/api/incidents/${duplicate}/merge`, { json: { targetId: target } })
    const pointer = { mergedInto: target, redirectTo: `/api/incidents/${target}` }
    expect(await app.json('guest', `/api/incidents/${duplicate}`)).toEqual({ id: duplicate, ...pointer })
    const writes: [Who, string, object][] = [
      ['resident', 'updates', { body: 'x' }],
      ['manager', 'updates', { body: 'x', newStatus: 'resolved' }],
      ['mobile', 'verify', { fixed: true }],
      ['board', 'merge', { targetId: target }],
      ['resident', 'follow', {}],
    ]
    for (const [who, what, json] of writes) {
      const answer = await post(who, `/api/incidents/${duplicate}/${what}`, json)
      expect([what, answer.status]).toEqual([what, 409])
      expect(await answer.json()).toMatchObject(pointer)
    }
  })
})
