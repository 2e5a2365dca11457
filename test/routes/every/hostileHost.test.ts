import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListener } from '../../../src/app.js'
import { config } from '../../../src/config.js'
import { query } from '../../../src/database.js'
import { mintToken } from '../../../src/models/accounts/accountToken.js'
import { useApp } from '../../support/app.js'
import { keys } from '../../support/keys.js'
import { takeMessages } from '../../support/mail/messages.js'
import { readEndpoints } from '../../support/routes/endpoints.js'
import { casesOf } from '../../support/suite/extent.js'

const app = useApp()
const evil = 'evil.example'
/** Every way in which a request can say what name it came by. */
const hostile = {
  host: `${evil}:8443`,
  forwarded: `host=${evil};proto=https`,
  'x-forwarded-host': evil,
  'x-forwarded-server': evil,
  'x-forwarded-proto': 'https',
  'x-host': evil,
  'x-original-host': evil,
  'x-original-url': `https://${evil}/`,
}

/** The same application as behind a proxy, where X-Forwarded-Host is believed by the framework. */
let behindProxy: Server
beforeAll(async () => {
  Object.assign(config, { trustProxy: true })
  behindProxy = createServer(createListener())
  Object.assign(config, { trustProxy: false })
  await new Promise<void>((resolve) => behindProxy.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => behindProxy.close(resolve)))

const portOf = { open: () => Number(new URL(app.origin()).port), proxied: () => portBehindProxy() }
const portBehindProxy = () => (behindProxy.address() as AddressInfo).port

type Said = { status: number; text: string }

/** Asks by a name that is not ours; everything of the answer as one text. `fetch` would not send this Host. */
async function asked(
  port: number,
  address: string,
  { method = 'GET', headers = {}, json }: { method?: string; headers?: object; json?: unknown } = {},
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const typed = json === undefined ? {} : { 'content-type': 'application/json' }
    const all = { ...hostile, 'accept-encoding': 'identity', ...typed, ...headers }
    const req = request(
      { port, host: '127.0.0.1', path: address, method, headers: all, agent: false },
      (res) => {
        let body = ''
        res.setEncoding('utf8').on('data', (chunk) => (body += chunk))
        res.on('end', () =>
          resolve({ status: res.statusCode!, text: `${res.rawHeaders.join('\n')}\n${body}` }),
        )
      },
    )
    req.on('error', reject)
    req.end(json === undefined ? undefined : JSON.stringify(json))
  })
}

/** Addresses of every GET route, with ids of what there is. */
async function addresses(): Promise<string[]> {
  const one = async (table: string) =>
    (await query<{ id: number }>(`select id from ${table} order by id limit 1`))[0]?.id ?? 1
  const [photo] = await query<{ path: string }>('select path from photos limit 1')
  const { token } = await mintToken(await one('users'), 'reset')
  const known: Record<string, unknown> = {
    id: 1,
    assetId: await one('assets'),
    token,
    path: photo?.path,
    kind: 'units',
  }
  return readEndpoints.map(({ path }) =>
    path.replaceAll(/\{?[:*](\w+)\}?/g, (_, name) => String(known[name] ?? 1)),
  )
}

describe.each(casesOf<'open' | 'proxied'>(['open', 'proxied'], 'proxied'))(
  'a name that is not ours, %s',
  (kind) => {
    it('appears nowhere in what any address answers', async () => {
      const cookie = await app.signIn('admin@example.com')
      const all = await addresses()
      expect(all.length).toBeGreaterThan(60)
      let fine = 0
      for (const address of all)
        for (const credentials of [{}, { cookie }])
          for (const accept of ['text/html', 'application/json']) {
            const { status, text } = await asked(portOf[kind](), address, {
              headers: { ...credentials, accept },
            })
            expect([address, status, text.includes(evil)]).toEqual([address, status, false])
            expect(status, address).not.toBe(500)
            if (status === 200) fine++
          }
      expect(fine).toBeGreaterThan(100)
    })

    it('appears in no address we name: redirects, created things, pages that are not there', async () => {
      const cookie = await app.signIn('resident@example.com')
      for (const [address, options] of [
        ['/r/1', {}],
        ['/r/999999', {}],
        ['/nowhere', { headers: { accept: 'text/html' } }],
        ['//nowhere', {}],
        ['/account', { headers: { accept: 'text/html' } }],
        ['/language?locale=en&next=/incidents', {}],
        [
          '/api/incidents',
          { method: 'POST', headers: { cookie }, json: { assetId: 1, title: 'x', severity: 'low' } },
        ],
        ['/api/auth/sign-in/email', { method: 'POST', json: { email: 'x@example.com', password: 'wrong' } }],
      ] as const) {
        const { status, text } = await asked(portOf[kind](), address, options)
        expect([address, status, text.includes(evil)]).toEqual([address, status, false])
      }
    })

    it('is in no mail, push, webhook or row that a request with it caused', async () => {
      const [manager, admin] = [
        await app.signIn('manager@example.com'),
        await app.signIn('admin@example.com'),
      ]
      const port = portOf[kind]()
      const write = async (address: string, headers: object, json: unknown) => {
        const { status, text } = await asked(port, address, { method: 'POST', headers, json })
        expect([address, status < 300, text.includes(evil)], text).toEqual([address, true, false])
        return JSON.parse(text.slice(text.indexOf('\n{') + 1) || '{}') as { id: number }
      }
      const resident = { cookie: await app.signIn('resident@example.com') }
      const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
      const hook = { url: 'https://receiver.example/hook', events: ['incident.created'], active: true }
      await write('/api/admin/webhooks', { cookie: admin }, hook)
      const fault = { assetId: 1, title: `Fault ${kind}`, severity: 'critical' }
      const [first, second] = [
        await write('/api/incidents', resident, fault),
        await write('/api/incidents', resident, fault),
      ]
      const updates = `/api/incidents/${first.id}/updates`
      await write(updates, { cookie: manager }, { body: 'Seen', newStatus: 'acknowledged' })
      await write(updates, { cookie: manager }, { body: 'Done', newStatus: 'resolved' })
      await write(`/api/incidents/${second.id}/merge`, { cookie: manager }, { targetId: first.id })
      const newcomer = {
        name: `New ${kind}`,
        email: `new-${kind}@example.com`,
        role: 'resident',
        active: true,
      }
      await write('/api/admin/users', { cookie: admin }, newcomer)
      await write('/api/auth/forgot-password', {}, { email: 'board@example.com' })
      await query(`update incidents set created_at = created_at - interval '400 hours' where status = 'open'`)
      await write('/api/cron/sweep', bearer(keys.CRON_SECRET), {})
      await write('/api/cron/digest', bearer(keys.CRON_SECRET), {})
      await write('/api/inbound-email', bearer(keys.INBOUND_EMAIL_SECRET), {
        from: 'Some One <someone@example.org>',
        subject: 'The lamp',
        text: 'is dark',
        attachments: [],
      })

      await query('update outbox set next_attempt_at = now() where sent_at is null')
      const { mails, pushes } = await takeMessages()
      expect(mails.length).toBeGreaterThan(3)
      const folder = config.mail.outboxDir
      const files = existsSync(folder) ? readdirSync(folder) : []
      const rows = await query(
        [
          'outbox',
          'webhook_events',
          'webhook_deliveries',
          'audit_entries',
          'sessions',
          'incidents',
          'incident_updates',
        ]
          .map((table) => `select t::text as text from ${table} t`)
          .join(' union all '),
      )
      const everything = JSON.stringify({
        mails,
        pushes,
        rows,
        files: files.map((file) => readFileSync(path.join(folder, file), 'utf8')),
      })
      expect(everything).toContain(`http://localhost:${config.port}/`)
      expect(everything).not.toContain(evil)
    })
  },
)
