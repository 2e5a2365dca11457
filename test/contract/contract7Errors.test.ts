import { beforeAll, describe, expect, it } from 'vitest'
import { type Asked, useApp, type Who } from '../support/app.js'
import { aMerge } from '../support/builders/merge.js'

/**
 * Spec §7, row by row, with the codes and the error body of decisions 4.1 and 4.2. Who
 * gets 401 or 403: contract5.
 */
const app = useApp()
const assetId = 1
let unitId: number

beforeAll(async () => {
  unitId = (await app.json('guest', '/api/units'))[0].id
})

const report = async (): Promise<number> =>
  (await app.json('resident', '/api/incidents', { json: { assetId, title: 'x', severity: 'low' } })).id

type Case = [
  what: string,
  status: number,
  code: string,
  who: Who,
  request: string,
  asked?: () => Asked | Promise<Asked>,
]
const json = (json: object) => () => ({ json })
const sent = (type: string, body: string) => () => ({ headers: { 'content-type': type }, body })
const title = { title: 'x', severity: 'low' }

/** `:open` in a path is the id of an incident that is open. */
// biome-ignore format: a table is read by columns
const cases: Case[] = [
  ['contacts without a credential', 401, 'unauthenticated', 'guest', 'GET /api/contacts'],
  ['a wrong password', 401, 'wrong_credentials', 'guest', 'POST /api/auth/sign-in/email', json({ email: 'board@example.com', password: 'wrong' })],
  ['a role that is not enough', 403, 'forbidden', 'resident', 'GET /api/admin/webhooks'],
  ['a report with neither place', 422, 'invalid', 'resident', 'POST /api/incidents', json(title)],
  ['a report with both places', 422, 'invalid', 'mobile', 'POST /api/incidents', () => ({ json: { ...title, assetId, unitId } })],
  ['a report of nothing known', 422, 'invalid', 'mobile', 'POST /api/incidents', json({ ...title, assetId: 999_999 })],
  ['a comment without words', 422, 'invalid', 'mobile', 'POST /api/incidents/:open/updates', json({})],
  ['a verification without an answer', 422, 'invalid', 'mobile', 'POST /api/incidents/:open/verify', json({})],
  ['a verification of what is open', 409, 'incident_not_resolved', 'mobile', 'POST /api/incidents/:open/verify', json({ fixed: true })],
  ['a phone of no platform', 422, 'invalid', 'mobile', 'POST /api/devices', json({ token: 'x', platform: 'windows' })],
  ['a mail without a sender', 422, 'invalid', 'inbound', 'POST /api/inbound-email', json({ subject: 'x' })],
  ['a missing incident', 404, 'not_found', 'guest', 'GET /api/incidents/2000000000'],
  ['an id that is none', 404, 'not_found', 'guest', 'GET /api/incidents/1e3'],
  ['a missing asset', 404, 'not_found', 'guest', 'GET /api/assets/2000000000'],
  ['a missing photo', 404, 'not_found', 'guest', `GET /api/photos/00/00/${'0'.repeat(32)}.jpg`],
  ['a sticker of nothing', 404, 'asset_not_found', 'guest', 'GET /r/999999'],
  ['an unknown filter value', 400, 'bad_query', 'guest', 'GET /api/incidents?status=new'],
  ['half a body', 400, 'malformed_body', 'resident', 'POST /api/incidents', sent('application/json', '{"title":')],
  ['a body of another kind', 415, 'unsupported_type', 'resident', 'POST /api/incidents', sent('text/csv', 'title\nx')],
  ['a body that is too large', 413, 'too_large', 'resident', 'POST /api/incidents', json({ description: 'x'.repeat(1_200_000) })],
  ['another method', 405, 'method_not_allowed', 'resident', 'DELETE /api/status'],
  ['another address', 404, 'not_found', 'guest', 'GET /api/nowhere'],
]

describe('an error', () => {
  it.each(cases)('%s is %d %s, as a problem document', async (_what, status, code, who, request, asked) => {
    const [method, path = ''] = request.split(' ')
    const address = path.includes(':open') ? path.replace(':open', String(await report())) : path
    const answer = await app.ask(who, address, { method: method!, ...(await asked?.()) })
    const accepted = answer.headers.get('content-type') ?? ''
    expect(answer.status).toBe(status)
    if (status === 405) expect(answer.headers.get('allow')).toContain('GET')
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

it('a request for a merged duplicate gets a pointer instead of a normal answer: reads 200, writes 409', async () => {
  const [duplicate, target] = [await report(), await report()]
  await aMerge(duplicate, target)
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
    const answer = await app.ask(who, `/api/incidents/${duplicate}/${what}`, { json })
    expect([what, answer.status]).toEqual([what, 409])
    expect(await answer.json()).toMatchObject(pointer)
  }
})
