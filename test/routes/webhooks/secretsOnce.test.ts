import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useApp } from '../../support/app.js'

const app = useApp()
const hook = { url: 'https://93.184.216.34/hook', events: [] }

type Sent = { status: number; text: string; secret: unknown }

async function send(path: string, json: object, key: string): Promise<Sent> {
  const answer = await app.ask('manager', path, { json, headers: { 'idempotency-key': key } })
  const text = await answer.text()
  return { status: answer.status, text, secret: (JSON.parse(text) as { secret?: unknown }).secret }
}

const stored = async () =>
  (await query<{ secret: string }>('select secret from webhook_subscriptions order by id desc limit 1'))[0]!
    .secret

/** Every request whose answer shows a secret. */
const shows: [string, () => Promise<{ path: string; json: object }>][] = [
  [
    'a new subscription, with a secret made for it',
    async () => ({ path: '/api/admin/webhooks', json: hook }),
  ],
  [
    'a new subscription, with a secret of its own',
    async () => ({ path: '/api/admin/webhooks', json: { ...hook, secret: 'a secret chosen by somebody' } }),
  ],
  [
    'a new secret',
    async () => {
      const { id } = await app.json('manager', '/api/admin/webhooks', { json: hook })
      return { path: `/api/admin/webhooks/${id}/secret`, json: {} }
    },
  ],
]

describe('a secret', () => {
  it.each(shows)('is shown to the first request, and to no repetition of it: %s', async (what, prepare) => {
    const { path, json } = await prepare()
    const key = what.replace(/\W+/g, '-')
    const atOnce = await Promise.all([1, 2, 3].map(() => send(path, json, key)))
    const all = [...atOnce, await send(path, json, key)]
    const secret = await stored()
    expect(all.filter(({ text }) => text.includes(secret))).toHaveLength(1)
    expect(new Set(all.map(({ status }) => status)).size).toBe(1)
    await query('update webhook_subscriptions set secret = $1', ['chosen by an admin later, and nobody else'])
    const late = await send(path, json, key)
    expect(late.secret).toMatch(/^••••/)
    expect(late.text).not.toContain('chosen by an admin later')
  })

  it('is shown once by a form, too', async () => {
    const form = {
      ...{ url: 'https://93.184.216.34/form', active: 'true', secret: '' },
      ...{ formKey: 'one-form', events: 'incident.merged' },
    }
    const asked = { form, headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' } }
    const first = await app.ask('manager', '/admin/webhooks', asked)
    const secret = await stored()
    expect([first.status, (await first.text()).includes(secret)]).toEqual([201, true])
    const again = await app.ask('manager', '/admin/webhooks', asked)
    expect([again.status, (await again.text()).includes(secret)]).toEqual([303, false])
  })

  it('is in nothing else the API answers', async () => {
    const { id } = await app.json('manager', '/api/admin/webhooks', { json: hook })
    const secret = await stored()
    const reads: [string, object][] = [
      ['/api/admin/webhooks', {}],
      [`/api/admin/webhooks/${id}`, {}],
      [`/api/admin/webhooks/${id}`, { method: 'PATCH', json: { secret: 'another one of somebody' } }],
      [`/api/admin/webhooks/${id}`, {}],
      ['/api/audit?entity=webhook_subscription', {}],
    ]
    for (const [path, asked] of reads) {
      const answer = await app.ask('admin', path, asked)
      const text = await answer.text()
      expect(answer.status).toBe(200)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('another one of somebody')
    }
  })
})
