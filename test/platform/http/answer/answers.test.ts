import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { photoStore } from '../../../../src/platform/photos/configuredStore.js'
import { texts } from '../../../../src/text/index.js'
import { useHouse } from '../../../support/house/house.js'

const house = useHouse()

describe('every answer', () => {
  it.each(['/', '/incidents', '/sign-in', '/nowhere', '/api/status', '/api/nowhere', '/healthz'])(
    '%s carries the security headers',
    async (path) => {
      const { headers } = await house.ask('guest', path, { headers: { accept: 'text/html' } })
      const csp = headers.get('content-security-policy')!
      expect(csp).toContain("script-src 'self'")
      expect(csp).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-powered-by')).toBeNull()
      // Public reads may be read from anywhere (decision 8.1).
      expect(headers.get('access-control-allow-origin')).toBe(path === '/api/status' ? '*' : null)
    },
  )

  it.each(['/', '/incidents', '/api/incidents', '/api/status'])(
    '%s says what it varies on and has a tag',
    async (path) => {
      const { headers } = await house.ask('guest', path)
      expect(headers.get('vary')).toContain('Accept')
      expect(headers.get('vary')).toContain('Authorization')
      expect(headers.get('etag')).toBeTruthy()
    },
  )

  it('has another tag as a page, as a fragment and as JSON', async () => {
    const tags = await Promise.all(
      [{ accept: 'text/html' }, { accept: '*/*', 'hx-request': 'true' }, { accept: 'application/json' }].map(
        async (headers) =>
          (
            await house.ask('guest', '/incidents', { headers: headers as Record<string, string> })
          ).headers.get('etag'),
      ),
    )
    expect(new Set(tags).size).toBe(3)
  })

  it('is compressed when the client can', async () => {
    const answer = await house.ask('guest', '/incidents', {
      headers: { accept: 'text/html', 'accept-encoding': 'br' },
    })
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(await answer.text()).toContain('</html>')
  })

  it('never follows the Host header into its links', async () => {
    const html = await (
      await house.ask('guest', '/', { headers: { accept: 'text/html', 'x-forwarded-host': 'evil.test' } })
    ).text()
    expect(html).not.toContain('evil.test')
  })
})

describe('what is not there', () => {
  it.each([
    '/.git/config',
    '/package.json',
    '/.env',
    '/static/../package.json',
    '/static/nothing.css',
    '/apis',
    '/api/nothing',
    '/%',
    '/%00',
    '/static/%2e%2e/app.ts',
  ])('%s is 404 or 400 in plain words', async (path) => {
    const answer = await house.ask('guest', path)
    expect([400, 404]).toContain(answer.status)
    expect(await answer.text()).not.toMatch(/ENOENT|at \w+ \(|node_modules/)
  })

  it('is an address where there is no route, and a page for people', async () => {
    const asked = { headers: { accept: 'application/json' } }
    const problem = await (await house.ask('guest', '/api/nowhere', asked)).json()
    expect(problem).toMatchObject({ title: 'Not found', code: 'not_found' })
    const page = await house.page('guest', '/incidents/999999')
    expect(page('h1').text()).toBe('Page not found')
  })

  it('has its name in the language of who asks', async () => {
    const asked = { headers: { accept: 'application/json', 'accept-language': 'es' } }
    const problem = await (await house.ask('guest', '/api/incidents/999999', asked)).json()
    expect(problem.title).toBe(texts.es.notFound.titles.incidents)
  })

  it('lets no header override the method', async () => {
    const [{ id }] = await house.json('guest', '/api/incidents')
    await house.ask('guest', `/api/incidents/${id}`, { headers: { 'x-http-method-override': 'DELETE' } })
    expect((await house.ask('guest', `/api/incidents/${id}`)).status).toBe(200)
  })

  it('answers HEAD like GET, without a body', async () => {
    for (const path of ['/', '/api/status', '/incidents']) {
      const answer = await house.ask('guest', path, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe('')
    }
  })
})

it('static files have their content in their name and are kept for ever', async () => {
  const page = await house.page('guest', '/')
  const files = [...page('link[href^="/static/"], script[src^="/static/"]').toArray()].map(
    (el) => page(el).attr('href') ?? page(el).attr('src')!,
  )
  expect(files.length).toBeGreaterThanOrEqual(4)
  for (const file of files) {
    expect(file).toMatch(/\.[0-9a-f]{12}\.(css|js|svg)$/)
    const answer = await house.ask('guest', file, { headers: { 'accept-encoding': 'br' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(
      (await house.ask('guest', file, { headers: { 'if-none-match': answer.headers.get('etag')! } })).status,
    ).toBe(304)
  }
})

describe('health', () => {
  it('tells that the process lives, and that it is ready part by part', async () => {
    expect(await house.json('guest', '/healthz')).toEqual({ status: 'ok' })
    expect(await house.json('guest', '/readyz')).toEqual({
      status: 'ready',
      checks: { accepting: 'ok', database: 'ok', migrations: 'ok', photos: 'ok' },
    })
  })

  it('writes nothing for a guest, however often it is asked', async () => {
    await house.json('guest', '/readyz')
    const write = vi.spyOn(photoStore, 'check')
    const answers = await Promise.all(Array.from({ length: 200 }, () => house.ask('guest', '/readyz')))
    expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200))
    expect(write).not.toHaveBeenCalled()
    write.mockRestore()
  })
})

describe('a request that names two hosts', () => {
  const raw = (path: string, ...hosts: string[]) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(house.origin())
      const socket = connect(Number(port), hostname)
      socket.write([`GET ${path} HTTP/1.1`, ...hosts, 'Connection: close', '', ''].join('\r\n'))
      let text = ''
      socket.on('data', (given) => (text += given))
      socket.on('end', () => resolve(text)).on('error', reject)
    })

  it.each(['/', '/api/status', '/incidents', '/display'])('is refused: %s', async (path) => {
    expect(await raw(path, 'Host: one.example', 'hOST: two.example')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await raw(path, 'Host: one.example', 'Host: one.example')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await raw(path, 'Host: one.example')).toMatch(/^HTTP\/1\.1 200 /)
  })
})
