import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import { webhookSender } from '../../src/webhooks/sending/sendWebhooks.js'
import { useHouse } from '../support/house/house.js'
import { scalar } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'
import { bodies, deliver, finishedDeliveries } from '../support/webhooks/deliveries.js'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.js'
import { onThisMachine } from '../support/webhooks/sending.js'
import { deleteSubscriptions, setSubscription, subscribe } from '../support/webhooks/subscriptions.js'

const house = useHouse()
const { office } = house
let receiver: Receiver
beforeAll(startReceiving)
beforeEach(deleteSubscriptions)
afterAll(async () => {
  await stopOutbox()
  await receiver.stop()
})

it('webhook subscriptions as JSON get a new secret that is told once, and nowhere in the audit log', async () => {
  const { id, secret } = await add()
  const rotated = await house.json('manager', `/api/admin/webhooks/${id}/secret`, { json: {} })
  expect(rotated.secret).not.toBe(secret)
  expect((await stored(id)).secret).toBe(rotated.secret)
  expect((await house.json('manager', `/api/admin/webhooks/${id}`)).secret).toMatch(/^••••.{4}$/)
  expect(await lastEntry()).toEqual({
    action: 'webhook_subscription.secret_rotated',
    id,
    changes: { secret: { before: '••••', after: '••••' } },
  })
})

it('the list of webhooks shows address, events, state and last answer in words', async () => {
  await query(
    `update webhook_subscriptions set last_status = 'failed: timeout', last_fired_at = now() where id = $1`,
    [await subscribe('https://receiver.example/a')],
  )
  await subscribe('https://receiver.example/b', { active: false })
  const page = await house.page('board', '/admin/webhooks')
  const rows = page('tbody tr')
    .toArray()
    .map((row) =>
      page(row)
        .find('th, td')
        .toArray()
        .map((cell) => page(cell).text()),
    )
  expect(rows[0]).toEqual(['https://receiver.example/b', 'incident.created', 'No', '', 'never'])
  expect(rows[1]!.slice(0, 4)).toEqual([
    'https://receiver.example/a',
    'incident.created',
    'Yes',
    'Failed: no complete response within 5 seconds',
  ])
  const active = await house.page('board', '/admin/webhooks?active=true&q=receiver&sort=-fired')
  expect(active('tbody tr').length).toBe(1)
  expect((await house.ask('board', '/admin/webhooks?active=perhaps')).status).toBe(400)
})

describe('the form of a webhook', () => {
  const filled = (more: [string, string][] = []): [string, string][] => [
    ['url', url],
    ['events', 'incident.created'],
    ['events', 'asset.status_changed'],
    ['active', 'true'],
    ['secret', ''],
    ...more,
  ]

  it('makes one and shows its secret on that answer only', async () => {
    const answer = await office.submit('/admin/webhooks', filled([['formKey', 'webhook-form-1']]))
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'private, no-store'])
    expect(answer.headers.get('location')).toBeNull()
    const html = await answer.text()
    const [{ id, secret }] = (await query('select id, secret from webhook_subscriptions')) as [any]
    expect(html.split(secret).length - 1).toBe(1)
    expect(await stored(id)).toMatchObject({ events: ['incident.created', 'asset.status_changed'] })
    for (const path of ['', `/${id}`, `/${id}/deliveries`, `/${id}/delete`])
      expect(await (await house.ask('manager', `/admin/webhooks${path}`)).text()).not.toContain(secret)
    const again = await office.submit('/admin/webhooks', filled([['formKey', 'webhook-form-1']]))
    expect([again.status, again.headers.get('location')]).toEqual([303, `/admin/webhooks/${id}`])
    expect(await query('select id from webhook_subscriptions')).toEqual([{ id }])
  })

  it('keeps what was typed and marks the field when it is refused, but for the secret', async () => {
    const answer = await office.submit('/admin/webhooks', [
      ['url', 'http://10.0.0.1/hook'],
      ['events', 'incident.merged'],
      ['secret', 'a secret somebody typed'],
      ['active', 'true'],
    ])
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain('value="http://10.0.0.1/hook"')
    expect(html).toMatch(/value="incident.merged" checked/)
    expect(html).toContain('<a href="#url">Webhooks can’t go to this address')
    expect(html).not.toContain('a secret somebody typed')
  })

  it('changes one and leaves its secret alone when that is empty', async () => {
    const { id, secret } = await add()
    const page = await house.page('manager', `/admin/webhooks/${id}`)
    const version = page('input[name=version]').val() as string
    expect(page('#secret').val()).toBe('')
    const answer = await office.submit(`/admin/webhooks/${id}`, filled([['version', version]]))
    expect(answer.headers.get('location')).toBe(`/admin/webhooks/${id}?notice=saved`)
    expect(await stored(id)).toMatchObject({ secret, events: ['incident.created', 'asset.status_changed'] })
    expect(await lastEntry()).toMatchObject({ action: 'webhook_subscription.updated', id })
    const late = await office.submit(`/admin/webhooks/${id}`, filled([['version', version]]))
    expect(late.status).toBe(409)
    const now = (await house.page('manager', `/admin/webhooks/${id}`))('input[name=version]').val() as string
    await office.submit(`/admin/webhooks/${id}`, [
      ['url', url],
      ['events', 'incident.created'],
      ['active', 'false'],
      ['secret', 'another secret'],
      ['version', now],
    ])
    expect(await stored(id)).toMatchObject({ secret: 'another secret', active: false })
  })

  it('makes a new secret by a button, shown once', async () => {
    const { id, secret } = await add()
    const formKey = (await house.page('manager', `/admin/webhooks/${id}`))(
      `form[action$="/secret"] input[name=formKey]`,
    ).val() as string
    const html = await (await office.submit(`/admin/webhooks/${id}/secret`, { formKey })).text()
    const now = (await stored(id)).secret
    expect(now).not.toBe(secret)
    expect(html).toContain(`<code class="secret" dir="ltr">${now}</code>`)
    const again = await office.submit(`/admin/webhooks/${id}/secret`, { formKey })
    expect(again.status).toBe(303)
    expect((await stored(id)).secret).toBe(now)
  })

  it('deletes after a question that says what goes with it', async () => {
    const id = await subscribe('https://receiver.example/a', { active: false })
    await deliver(id, bodies(2))
    const page = await house.page('manager', `/admin/webhooks/${id}/delete`)
    expect(page('main').text()).toContain('2 deliveries in the log')
    const gone = await office.submit(`/admin/webhooks/${id}/delete`)
    expect(gone.headers.get('location')).toMatch(/^\/admin\/webhooks\?was=.+&notice=deleted$/)
    expect((await house.ask('manager', `/admin/webhooks/${id}`)).status).toBe(404)
    const late = await office.submit(`/admin/webhooks/${id}`, filled([['version', 'x']]))
    const html = await late.text()
    expect([late.status, html.includes(`value="${url}"`)]).toEqual([409, true])
    expect(html).toContain('This was deleted')
  })
})

describe('a test of a webhook', () => {
  it('shows what the receiver answered, on top of the log', async () => {
    const id = await subscribe(receiver.url('/204'))
    const sent = await office.submit(`/admin/webhooks/${id}/test`)
    const location = sent.headers.get('location')!
    expect([sent.status, location]).toEqual([
      303,
      expect.stringMatching(/^\/admin\/webhooks\/\d+\/deliveries\?tested=\d+$/),
    ])
    const page = await house.page('manager', location)
    expect(page('.notice').text()).toMatch(/^Test sent\. Response 204, after \d+ ms\.$/)
    expect(page('tbody td').first().text()).toBe('webhook.test')
    expect(await house.json('manager', `/api/admin/webhooks/${id}/test`, { json: {} })).toMatchObject({
      status: '204',
      event: 'webhook.test',
    })
    expect(receiver.received.every(({ verified }) => verified)).toBe(true)
  })

  it('is webhook.test with the property alone, whatever it subscribes to', async () => {
    const id = await subscribe(receiver.url('/ok/tested'))
    await setSubscription(id, { events: ['asset.status_changed'] })
    await house.json('manager', `/api/admin/webhooks/${id}/test`, { json: {} })
    const got = receiver.received.filter(({ path }) => path === '/ok/tested').at(-1)!
    const body = JSON.parse(got.raw.toString())
    expect(Object.keys(body)).toEqual(['event', 'occurredAt', 'property'])
    expect(body).toMatchObject({ event: 'webhook.test', property: { id: 1, name: expect.any(String) } })
    expect(new Date(body.occurredAt).toISOString()).toBe(body.occurredAt)
    expect(got.verified).toBe(true)
    expect(got.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'webhook-id': expect.any(String),
    })
    const [entry] = await house.json('manager', `/api/admin/webhooks/${id}/deliveries`)
    expect(entry).toMatchObject({ event: 'webhook.test', body: got.raw.toString() })
  })

  it('is nothing to subscribe to', async () => {
    const json = { url: receiver.url('/ok'), events: ['webhook.test'] }
    const created = await house.ask('manager', '/api/admin/webhooks', { json })
    const id = await subscribe(receiver.url('/ok'))
    const changed = await house.ask('manager', `/api/admin/webhooks/${id}`, { method: 'PATCH', json })
    for (const refused of [created, changed])
      expect([refused.status, Object.keys((await refused.json()).errors)]).toEqual([422, ['events']])
    expect((await house.page('manager', '/admin/webhooks/new')).text()).not.toContain('webhook.test')
  })

  it('is answered as under way when the webhook is deleted meanwhile', async () => {
    const id = await subscribe(receiver.url('/hang'))
    const answer = house.ask('manager', `/api/admin/webhooks/${id}/test`, { json: {} })
    await eventually(() => expect(receiver.received.some(({ path }) => path === '/hang')).toBe(true))
    await house.ask('manager', `/api/admin/webhooks/${id}`, { method: 'DELETE' })
    const { status } = await answer
    expect(status).toBe(202)
  })

  it('says in words what went wrong', async () => {
    const id = await subscribe(receiver.url('/close'))
    const sent = await office.submit(`/admin/webhooks/${id}/test`)
    const page = await house.page('manager', sent.headers.get('location')!)
    expect(page('.warning').text()).toContain('Failed: the connection was lost')
  })
})

it('the delivery log lists status, duration and body, newest first, page by page', async () => {
  const id = await subscribe('https://receiver.example/a', { active: false })
  await finishedDeliveries(id, '500', { count: 3 })
  const page = await house.page('board', `/admin/webhooks/${id}/deliveries?limit=2`)
  expect(
    page('tbody tr')
      .toArray()
      .map((row) => page(row).find('pre').text()),
  ).toEqual(['{"n" : 3}', '{"n" : 2}'])
  expect(page('tbody tr').first().text()).toMatch(/Response 500\s+1,234 ms/)
  const older = await house.page('board', page('a[rel=next]').attr('href')!)
  expect(older('pre').text()).toBe('{"n" : 1}')
  const json = await house.json('board', `/api/admin/webhooks/${id}/deliveries`)
  expect(json[0]).toMatchObject({
    event: 'incident.created',
    status: '500',
    durationMs: 1234,
    body: '{"n" : 3}',
  })
})

describe('a secret', () => {
  it.each(Object.entries(requestsForSecret()))(
    'is shown to the first request, and to no repetition of it: %s',
    async (key, prepare) => {
      const { path, json } = await prepare()
      const atOnce = await Promise.all([1, 2, 3].map(() => sendKeyed(path, json, key)))
      const all = [...atOnce, await sendKeyed(path, json, key)]
      const secret = await newestSecret()
      expect(all.filter(({ text }) => text.includes(secret))).toHaveLength(1)
      expect(new Set(all.map(({ status }) => status)).size).toBe(1)
      await query(`update webhook_subscriptions set secret = 'chosen by an admin later'`)
      const late = await sendKeyed(path, json, key)
      expect(late.secret).toMatch(/^••••/)
      expect(late.text).not.toContain('chosen by an admin later')
    },
  )

  it('is in nothing else the API answers', async () => {
    const { id } = await house.json('manager', '/api/admin/webhooks', { json: { url, events: [] } })
    const secret = await newestSecret()
    const reads: [string, object][] = [
      ['/api/admin/webhooks', {}],
      [`/api/admin/webhooks/${id}`, {}],
      [`/api/admin/webhooks/${id}`, { method: 'PATCH', json: { secret: 'another one of somebody' } }],
      [`/api/admin/webhooks/${id}`, {}],
      ['/api/audit?entity=webhook_subscription', {}],
    ]
    for (const [path, asked] of reads) {
      const answer = await house.ask('admin', path, asked)
      const text = await answer.text()
      expect(answer.status).toBe(200)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('another one of somebody')
    }
  })
})

async function sendKeyed(path: string, json: object, key: string) {
  const answer = await house.ask('manager', path, { json, headers: { 'idempotency-key': key } })
  const text = await answer.text()
  return { status: answer.status, text, secret: (JSON.parse(text) as { secret?: unknown }).secret }
}

const newestSecret = () => scalar<string>('select secret from webhook_subscriptions order by id desc limit 1')

/** Every request whose answer shows a secret. */
function requestsForSecret(): Record<string, () => Promise<{ path: string; json: object }>> {
  return {
    'new-subscription': async () => ({ path: '/api/admin/webhooks', json: { url, events: [] } }),
    'own-secret': async () => ({
      path: '/api/admin/webhooks',
      json: { url, events: [], secret: 'a secret chosen by somebody' },
    }),
    'new-secret': async () => ({ path: `/api/admin/webhooks/${(await add()).id}/secret`, json: {} }),
  }
}

const url = 'https://93.184.216.34/hook'

const add = (json: object = {}) =>
  house.json('manager', '/api/admin/webhooks', { json: { url, events: ['incident.created'], ...json } })

const stored = async (id: number) =>
  (await query('select url, secret, events, active from webhook_subscriptions where id = $1', [id]))[0]!

const lastEntry = async () =>
  (await query('select action, entity_id as id, changes from audit_entries a order by a.id desc limit 1'))[0]!

/** Starts a receiver, and sends webhooks to it in this process. */
async function startReceiving(): Promise<void> {
  receiver = await startReceiver()
  startOutbox([webhookSender({ policy: onThisMachine })], async () => {})
}
