import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

describe('contacts', () => {
  it('ask a guest to sign in, as a page', async () => {
    const headers = { accept: 'text/html', 'sec-fetch-site': 'none' }
    const answer = await house.ask('guest', '/contacts', { headers })
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('name="next" value="/contacts"')
  })

  it('can be called and written to from their page, and stay out of caches', async () => {
    const answer = await house.ask('resident', '/contacts', { headers: { accept: 'text/html' } })
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const html = await answer.text()
    expect(html).toMatch(/href="tel:[+\d]+"/)
    expect(html).toContain('href="mailto:')
  })
})
