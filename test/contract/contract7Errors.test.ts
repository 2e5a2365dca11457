import { beforeAll, describe, expect, it } from 'vitest'
import type { Asked, Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'

/**
 * Spec §7, row by row, with the codes and the error body of decisions 4.1 and 4.2. Who
 * gets 401 or 403: contract5.
 */
const house = useHouse()
const { office } = house
const assetId = 1
let unitId: number

beforeAll(async () => {
  unitId = (await house.json('guest', '/api/units'))[0].id
})

/** A report that says nothing of where it is. */
const words = { title: 'x', severity: 'low' }

describe('an error', () => {
  // `:open` in a path is the id of an incident that is open.
  it.each<Case>([
    {
      what: 'contacts without a credential',
      who: 'guest',
      request: 'GET /api/contacts',
      status: 401,
      code: 'unauthenticated',
    },
    {
      what: 'a wrong password',
      who: 'guest',
      request: 'POST /api/auth/sign-in/email',
      asked: json({ email: 'board@example.com', password: 'wrong' }),
      status: 401,
      code: 'wrong_credentials',
    },
    {
      what: 'a role that is not enough',
      who: 'resident',
      request: 'GET /api/admin/webhooks',
      status: 403,
      code: 'forbidden',
    },
    {
      what: 'a report with neither place',
      who: 'resident',
      request: 'POST /api/incidents',
      asked: json(words),
      status: 422,
      code: 'invalid',
    },
    {
      what: 'a report with both places',
      who: 'mobile',
      request: 'POST /api/incidents',
      asked: () => ({ json: { ...words, assetId, unitId } }),
      status: 422,
      code: 'invalid',
    },
    {
      what: 'a report of nothing known',
      who: 'mobile',
      request: 'POST /api/incidents',
      asked: json({ ...words, assetId: 999_999 }),
      status: 422,
      code: 'invalid',
    },
    {
      what: 'a comment without words',
      who: 'mobile',
      request: 'POST /api/incidents/:open/updates',
      asked: json({}),
      status: 422,
      code: 'invalid',
    },
    {
      what: 'a verification without an answer',
      who: 'mobile',
      request: 'POST /api/incidents/:open/verify',
      asked: json({}),
      status: 422,
      code: 'invalid',
    },
    {
      what: 'a verification of what is open',
      who: 'mobile',
      request: 'POST /api/incidents/:open/verify',
      asked: json({ fixed: true }),
      status: 409,
      code: 'incident_not_resolved',
    },
    {
      what: 'a phone of no platform',
      who: 'mobile',
      request: 'POST /api/devices',
      asked: json({ token: 'x', platform: 'windows' }),
      status: 422,
      code: 'invalid',
    },
    {
      what: 'an email without a sender',
      who: 'inbound',
      request: 'POST /api/inbound-email',
      asked: json({ subject: 'x' }),
      status: 422,
      code: 'invalid',
    },
    {
      what: 'a missing incident',
      who: 'guest',
      request: 'GET /api/incidents/2000000000',
      status: 404,
      code: 'not_found',
    },
    {
      what: 'an id that is none',
      who: 'guest',
      request: 'GET /api/incidents/1e3',
      status: 404,
      code: 'not_found',
    },
    {
      what: 'a missing asset',
      who: 'guest',
      request: 'GET /api/assets/2000000000',
      status: 404,
      code: 'not_found',
    },
    {
      what: 'a missing photo',
      who: 'guest',
      request: `GET /api/photos/00/00/${'0'.repeat(32)}.jpg`,
      status: 404,
      code: 'not_found',
    },
    {
      what: 'a sticker of nothing',
      who: 'guest',
      request: 'GET /r/999999',
      status: 404,
      code: 'asset_not_found',
    },
    {
      what: 'an unknown filter value',
      who: 'guest',
      request: 'GET /api/incidents?status=new',
      status: 400,
      code: 'bad_query',
    },
    {
      what: 'half a body',
      who: 'resident',
      request: 'POST /api/incidents',
      asked: sent('application/json', '{"title":'),
      status: 400,
      code: 'malformed_body',
    },
    {
      what: 'a body of another kind',
      who: 'resident',
      request: 'POST /api/incidents',
      asked: sent('text/csv', 'title\nx'),
      status: 415,
      code: 'unsupported_type',
    },
    {
      what: 'a body that is too large',
      who: 'resident',
      request: 'POST /api/incidents',
      asked: json({ description: 'x'.repeat(1_200_000) }),
      status: 413,
      code: 'too_large',
    },
    {
      what: 'another method',
      who: 'resident',
      request: 'DELETE /api/status',
      status: 405,
      code: 'method_not_allowed',
    },
    {
      what: 'another address',
      who: 'guest',
      request: 'GET /api/nowhere',
      status: 404,
      code: 'not_found',
    },
  ])('$what is $status $code, as a problem document', async (expected) => {
    const { status, code, who, request, asked } = expected
    const [method, path = ''] = request.split(' ')
    const address = path.includes(':open') ? path.replace(':open', String(await house.report())) : path
    const answer = await house.ask(who, address, { method: method!, ...(await asked?.()) })
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
  const [duplicate, target] = [await house.report(), await house.report()]
  await office.merges(duplicate, target)
  const pointer = { mergedInto: target, redirectTo: `/api/incidents/${target}` }
  expect(await house.json('guest', `/api/incidents/${duplicate}`)).toEqual({ id: duplicate, ...pointer })
  const writes: [Who, string, object][] = [
    ['resident', 'updates', { body: 'x' }],
    ['manager', 'updates', { body: 'x', newStatus: 'resolved' }],
    ['mobile', 'verify', { fixed: true }],
    ['board', 'merge', { targetId: target }],
    ['resident', 'follow', {}],
  ]
  for (const [who, what, json] of writes) {
    const answer = await house.ask(who, `/api/incidents/${duplicate}/${what}`, { json })
    expect([what, answer.status]).toEqual([what, 409])
    expect(await answer.json()).toMatchObject(pointer)
  }
})

type Case = {
  what: string
  who: Who
  request: string
  asked?: () => Asked | Promise<Asked>
  status: number
  code: string
}

function json(json: object) {
  return () => ({ json })
}

function sent(type: string, body: string) {
  return () => ({ headers: { 'content-type': type }, body })
}
