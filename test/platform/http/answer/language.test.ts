import { describe, expect, it } from 'vitest'
import { query } from '../../../../src/platform/db/database.js'
import { useHouse } from '../../../support/house/house.js'

const house = useHouse()
const spanish = { accept: 'text/html', 'accept-language': 'es-ES,es;q=0.9,en;q=0.5' }

describe('the language', () => {
  it('of a guest is the browser’s, and says so', async () => {
    const answer = await house.ask('guest', '/incidents', { headers: spanish })
    expect(answer.headers.get('content-language')).toBe('es')
    expect(answer.headers.get('vary')).toMatch(/Accept-Language/)
    expect(await answer.text()).toMatch(/<html lang="es" dir="ltr">/)
    expect((await house.page('guest', '/', { headers: spanish }))('html').attr('lang')).toBe('es')
    expect(
      (await house.page('guest', '/', { headers: { 'accept-language': 'en' } }))('html').attr('lang'),
    ).toBe('en')
  })

  it('chosen in the menu of a page goes before the browser’s, and leads back', async () => {
    const page = await house.page('guest', '/incidents?status=open')
    const link = page('.menu a[lang=es]').attr('href')!
    const answer = await house.ask('guest', link)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/incidents?status=open'])
    const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
    const after = await house.page({ cookie }, '/incidents', { headers: { 'accept-language': 'en' } })
    expect(after('html').attr('lang')).toBe('es')
  })

  it('is one of ours, and what leads elsewhere leads to the first page', async () => {
    const answer = await house.ask('guest', '/language?locale=es&next=//evil.example')
    expect(answer.headers.get('location')).toBe('/')
    expect((await house.ask('guest', '/language?locale=xx')).status).toBe(400)
  })

  it('of somebody signed in is their account’s, and changes there', async () => {
    const headers = { ...spanish, 'sec-fetch-site': 'same-origin' }
    expect((await house.page('board', '/incidents', { headers: spanish }))('html').attr('lang')).toBe('en')
    const answer = await house.ask('board', '/language', {
      form: { locale: 'es', next: '/contacts' },
      headers,
    })
    expect(answer.headers.get('location')).toBe('/contacts')
    expect((await house.page('board', '/contacts'))('html').attr('lang')).toBe('es')
    expect(await query(`select locale from users where email = 'board@example.com'`)).toEqual([
      { locale: 'es' },
    ])
  })

  it('of the house is for those who ask for none of ours', async () => {
    await house.json('admin', '/api/admin/property', { method: 'PATCH', json: { locale: 'es' } })
    await house.page('guest', '/incidents')
    for (const path of ['/', '/incidents'])
      expect(
        (await house.page('guest', path, { headers: { 'accept-language': 'fi' } }))('html').attr('lang'),
        path,
      ).toBe('es')
    await house.json('admin', '/api/admin/property', { method: 'PATCH', json: { locale: 'en' } })
  })

  it('words errors and names, and leaves JSON’s literal name alone', async () => {
    const { id } = await house.json('resident', '/api/incidents', {
      json: { assetId: 1, title: 'x', severity: 'low', isAnonymous: true },
    })
    const page = await house.page('guest', `/incidents/${id}`, { headers: spanish })
    expect(page('main').text()).not.toContain('Anonymous resident')
    const json = await house.json('guest', `/api/incidents/${id}`, { headers: { 'accept-language': 'es' } })
    expect(json.reporterName).toBe('Anonymous resident')
    const refused = await house.ask('mobile', '/api/incidents', {
      json: { assetId: 1, severity: 'low' },
      headers: { 'accept-language': 'es' },
    })
    const english = await house.ask('mobile', '/api/incidents', { json: { assetId: 1, severity: 'low' } })
    const [es, en] = [await refused.json(), await english.json()]
    expect(es.code).toBe(en.code)
    expect(es.title).not.toBe(en.title)
    expect(es.errors.title).not.toEqual(en.errors.title)
  })

  it('writes numbers its own way', async () => {
    const page = await house.page('guest', '/assets/1', { headers: spanish })
    expect(page('main').text()).toMatch(/\d{2},\d{2}%/)
  })
})
