import { describe, expect, it } from 'vitest'
import { texts } from '../../src/text/index.js'
import { useApp } from '../support/app.js'
import { endpoints } from '../support/routes/endpoints.js'

const app = useApp()

const json = { accept: 'application/json' }
/** Addresses with an id that nothing has; links by email say that they are over instead. */
const addressed = endpoints.filter(({ path }) => path.startsWith('/api/') && /:(?!token)\w+|\{\*/.test(path))

describe('what is not found', () => {
  it('has a name for programs, at every address with an id, and is no page', async () => {
    const titles = new Set<string>()
    const unnamed: string[] = []
    for (const { method, path } of addressed) {
      const address = path.replace(/:\w+|\{\*\w+\}/g, '999999')
      const answer = await app.ask('admin', address, { method, headers: json })
      if (answer.status !== 404) continue
      const { title, detail } = (await answer.json()) as { title: string; detail: string }
      titles.add(title)
      if (!/^\w.+ not found$/.test(title) || /page/i.test(title + detail))
        unnamed.push(`${method} ${path}: ${title}`)
    }
    expect(unnamed).toEqual([])
    expect([...titles]).toEqual(
      expect.arrayContaining(['Report not found', 'Asset not found', 'User not found']),
    )
    expect(titles.size).toBeGreaterThan(10)
  })

  it('is an address where there is no route, and a page for people', async () => {
    const problem = await (await app.ask('guest', '/api/nowhere', { headers: json })).json()
    expect(problem).toMatchObject({ title: 'Not found', code: 'not_found' })
    const page = await app.page('guest', '/incidents/999999')
    expect(page('h1').text()).toBe('Page not found')
  })

  it('has its name in the language of who asks', async () => {
    const asked = { headers: { ...json, 'accept-language': 'es' } }
    const problem = await (await app.ask('guest', '/api/incidents/999999', asked)).json()
    expect(problem.title).toBe(texts.es.notFound.titles.incidents)
  })
})
