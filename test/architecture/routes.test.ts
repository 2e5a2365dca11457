import { describe, expect, it } from 'vitest'
import { decide } from '../../src/domain/accounts/permissions.js'
import { mintConfirmation } from '../../src/models/mail/mailFollower.js'
import { useApp } from '../support/app.js'
import { mailFollower } from '../support/mail/mailFollowers.js'
import { endpoints, readEndpoints, writeEndpoints } from '../support/routes/endpoints.js'

const app = useApp()

describe('every route', () => {
  it('names its permission before anything else', () => {
    expect(endpoints.filter(({ permission }) => !permission)).toEqual([])
  })

  it('of the office stands below /admin, wherever its file does', () => {
    const office = readEndpoints.filter(
      ({ path, permission }) =>
        !/^\/(api|internal)\/|^\/metrics$/.test(path) &&
        (['guest', 'resident'] as const).every((who) => decide(who, permission) !== 'allowed'),
    )
    expect(office.length).toBeGreaterThan(20)
    for (const { path } of office) expect(path).toMatch(/^\/admin(\/|$)/)
  })

  it('has the same permission on its page and its API address', () => {
    const byPath = new Map(endpoints.map(({ method, path, permission }) => [`${method} ${path}`, permission]))
    for (const [key, permission] of byPath) {
      const twin = byPath.get(key.replace(' /', ' /api/'))
      if (twin) expect(twin, key).toBe(permission)
    }
  })

  it('that reads at two addresses answers each caller in kind', async () => {
    const { assets } = await app.json('guest', '/api/status')
    const [{ id }] = await app.json('guest', '/api/incidents')
    const hook = await app.json('admin', '/api/admin/webhooks', {
      json: { url: 'https://93.184.216.34/hook', events: [] },
    })
    const real: Record<string, string> = {
      '/assets/:id': `/assets/${assets[0].id}`,
      '/incidents/:id': `/incidents/${id}`,
      '/follow/:token': `/follow/${(await mintConfirmation(await mailFollower('jo@outside.test'), 'asset:1')).token}`,
      '/admin/towers/:id': '/admin/towers/1',
      '/admin/webhooks/:id': `/admin/webhooks/${hook.id}`,
      '/admin/webhooks/:id/deliveries': `/admin/webhooks/${hook.id}/deliveries`,
      '/admin/users/:id': '/admin/users/2',
      '/admin/contacts/:id': '/admin/contacts/1',
      '/admin/templates/:id': '/admin/templates/1',
      '/admin/maintenance/:id': '/admin/maintenance/1',
      '/admin/assets/:id': '/admin/assets/1',
      '/admin/units/:id': '/admin/units/1',
    }
    const reads = readEndpoints.filter(({ path }) =>
      readEndpoints.some((other) => other.path === `/api${path}`),
    )
    expect(reads.length).toBeGreaterThan(3)
    for (const { path } of reads) {
      const page = real[path] ?? path
      for (const address of [page, `/api${page}`]) {
        const html = await app.ask('admin', address, { headers: { accept: 'text/html' } })
        const json = await app.ask('admin', address, { headers: { accept: 'application/json' } })
        expect([html.status, html.headers.get('content-type')], address).toEqual([
          200,
          'text/html; charset=utf-8',
        ])
        expect([json.status, json.headers.get('content-type')], address).toEqual([
          200,
          'application/json; charset=utf-8',
        ])
      }
    }
  })

  it('that writes at two addresses refuses each caller in kind, too, or does what needs no fields', async () => {
    const writes = writeEndpoints.filter(({ path, method }) =>
      writeEndpoints.some((other) => other.path === `/api${path}` && other.method === method),
    )
    expect(writes.length).toBeGreaterThan(1)
    for (const { path, method } of writes) {
      const page = path.replaceAll(/:\w+/g, '999999')
      const asked = { method, headers: { 'sec-fetch-site': 'same-origin' } }
      const html = await app.ask('admin', page, {
        ...asked,
        form: {},
        headers: { ...asked.headers, accept: 'text/html' },
      })
      const json = await app.ask('admin', `/api${page}`, { ...asked, json: {} })
      expect(json.headers.get('content-type'), page).toMatch(/^application\/(problem\+)?json/)
      if (html.status === 303) expect(json.ok, page).toBe(true)
      else expect(html.headers.get('content-type'), page).toMatch(/^text\/html/)
    }
  })
})
