import { describe, expect, it } from 'vitest'
import type { Permission } from '../../src/domain/accounts/permissions.js'
import { routes } from '../../src/routes/index.js'
import { useApp } from '../support/app.js'

const app = useApp()
const stack = routes().stack.filter(({ methods }) => methods.length > 0)

type Guard = { permission?: Permission }
const permissionOf = (layer: (typeof stack)[number]) =>
  (layer.stack as unknown as Guard[]).map((each) => each.permission).find(Boolean)

describe('every route', () => {
  it('names its permission before anything else', () => {
    const bare = stack
      .filter((layer) => !(layer.stack[0] as unknown as Guard).permission)
      .map(({ methods, path }) => `${methods} ${path}`)
    expect(bare).toEqual([])
  })

  it('has the same permission on its page and its API address', () => {
    const byPath = new Map(
      stack.map((layer) => [`${layer.methods.join()} ${layer.path}`, permissionOf(layer)]),
    )
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
      '/admin/towers/:id': '/admin/towers/1',
      '/admin/webhooks/:id': `/admin/webhooks/${hook.id}`,
      '/admin/webhooks/:id/deliveries': `/admin/webhooks/${hook.id}/deliveries`,
      '/admin/users/:id': '/admin/users/2',
      '/admin/contacts/:id': '/admin/contacts/1',
      '/admin/maintenance/:id': '/admin/maintenance/1',
      '/admin/assets/:id': '/admin/assets/1',
      '/admin/units/:id': '/admin/units/1',
    }
    const reads = stack.filter(
      ({ methods, path }) =>
        methods.includes('GET') &&
        typeof path === 'string' &&
        stack.some((other) => other.path === `/api${path}` && other.methods.includes('GET')),
    )
    expect(reads.length).toBeGreaterThan(3)
    for (const { path } of reads) {
      const page = real[path as string] ?? (path as string)
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

  it('that writes at two addresses refuses each caller in kind, too', async () => {
    const writes = stack.filter(
      ({ methods, path }) =>
        !methods.includes('GET') &&
        typeof path === 'string' &&
        stack.some((other) => other.path === `/api${path}` && other.methods.join() === methods.join()),
    )
    expect(writes.length).toBeGreaterThan(1)
    for (const { path, methods } of writes) {
      const page = (path as string).replaceAll(/:\w+/g, '999999')
      const asked = { method: methods[0]!, headers: { 'sec-fetch-site': 'same-origin' } }
      const html = await app.ask('admin', page, {
        ...asked,
        form: {},
        headers: { ...asked.headers, accept: 'text/html' },
      })
      const json = await app.ask('admin', `/api${page}`, { ...asked, json: {} })
      expect(html.headers.get('content-type'), page).toMatch(/^text\/html/)
      expect(json.headers.get('content-type'), page).toMatch(/^application\/(problem\+)?json/)
    }
  })
})
