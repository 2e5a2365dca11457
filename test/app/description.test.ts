import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Description } from '../../src/platform/http/description/document.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { operationsOf } from '../support/routes/operations.js'

const house = useHouse()
const path = '/api/openapi.json'
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

describe('the description of the service', () => {
  it('is JSON for everyone, whatever they accept, and the same every time', async () => {
    const first = await house.ask('guest', path)
    const etag = first.headers.get('etag')!
    const text = await first.text()
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(JSON.parse(text).openapi).toMatch(/^3\.1/)
    for (const who of ['admin', 'mobile'] as const) {
      const again = await house.ask(who, path, { headers: { accept: 'text/html' } })
      expect([again.headers.get('etag'), await again.text()]).toEqual([etag, text])
    }
    const unchanged = await house.ask('guest', path, { headers: { 'if-none-match': etag } })
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  })

  it('is a page for people, with every operation and shape of the document', async () => {
    const description = await house.json<Description>('guest', '/api')
    const page = await house.page('guest', '/api')
    const said = page('h3 code')
      .toArray()
      .map((each) => page(each).text())
    const operations = operationsOf(description).map((each) => `${each.method.toUpperCase()} ${each.path}`)
    expect(said.sort()).toEqual([...operations, ...Object.keys(description.components.schemas)].sort())
    const targets = page('main a[href^="#"]')
      .toArray()
      .map((each) => page(each).attr('href')!)
    expect(targets.length).toBeGreaterThan(100)
    expect(targets.filter((target) => page(`[id="${target.slice(1)}"]`).length !== 1)).toEqual([])
    const report = page('#postIncidents').nextUntil('h3').text().replace(/\s+/g, ' ')
    expect(report).toContain('title string (1–200) required')
    expect(report).toContain('Who can use it: Resident, Board, Manager, Admin, mobile app')
    expect(report).toContain('severity "low" | "medium" | "high" | "critical" required')
  })

  it('is in the language of its reader and in their own frame, however often and by whom it was asked before', async () => {
    const contents = async (who: Who, language: string) => {
      const page = await house.page(who, '/api', { headers: { 'accept-language': language } })
      return { main: page('main').html()!, header: page('header').text() }
    }
    const english = await contents('guest', 'en')
    const spanish = await contents('guest', 'es')
    expect(english.main).toContain('Resources')
    expect(spanish.main).toContain('Recursos')
    const admin = await contents('admin', 'en')
    expect(admin.main).toBe(english.main)
    expect(admin.header).not.toBe(english.header)
    expect(await contents('guest', 'es')).toEqual(spanish)
  })

  it('weighs no more than a photo of it would', async () => {
    for (const [address, most] of [
      ['/api', 60_000],
      [path, 40_000],
    ] as const) {
      const text = await (await house.ask('guest', address, { headers: { accept: 'text/html' } })).text()
      expect(brotliCompressSync(text, quality).length, address).toBeLessThan(most)
    }
  })
})
