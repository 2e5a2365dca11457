import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatFor } from '../../../../src/platform/http/format/format.js'
import { config } from '../../../../src/platform/process/config.js'
import { useHouse } from '../../../support/house/house.js'
import { forgetCounts } from '../../../support/house/limits.js'

const house = useHouse()
beforeEach(() => forgetCounts())

const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

describe('a request that is one too many', () => {
  /** Wrong passwords until the limit is spent; the last answer. */
  async function spent(accept: string): Promise<Response> {
    const form = { email: 'resident@example.com', password: 'not the password' }
    for (let i = 0; i <= config.throttles.signIn; i++) {
      const answer = await house.ask('guest', '/sign-in', { form, headers: { ...ours, accept } })
      if (answer.status === 429) return answer
    }
    throw new Error('no limit was reached')
  }

  it('says on the page until when it waits, and offers a link by email with the address kept', async () => {
    const answer = await spent('text/html')
    const wait = Number(answer.headers.get('retry-after'))
    const until = Math.ceil((Date.now() + wait * 1000) / 60_000) * 60_000
    const said = [until, until - 60_000].map((at) =>
      formatFor('en', 'Europe/London').when(new Date(at).toISOString()),
    )
    const page = load(await answer.text())
    const orByEmail = 'Or sign in now with a code by email: use the button below.'
    expect(said.map((time) => `Try again after ${time}. ${orByEmail}`)).toContain(page('#errors p').text())
    expect(page('form[action="/sign-in"] [name=email]').val()).toBe('resident@example.com')
    const [password, code] = page('form[action="/sign-in"] button').toArray()
    expect(page(password).attr('class')).toBe('second')
    expect(page(code).attr()).toEqual({ formaction: '/sign-in/link' })
    expect(page('main a[href^="/forgot-password"]')).toHaveLength(1)
  })

  it('says to programs the seconds of its header', async () => {
    const answer = await spent('application/json')
    expect((await answer.json()).detail).toBe(`Try again in ${answer.headers.get('retry-after')} seconds.`)
  })
})

describe('a page that does not exist', () => {
  it.each(['guest', 'resident', 'manager'] as const)('offers a %s the lists', async (who) => {
    const answer = await house.ask(who, '/incidents/999999', { headers: ours })
    const links = load(await answer.text())('main a')
      .toArray()
      .map(({ attribs }) => attribs.href)
    expect(answer.status).toBe(404)
    expect(links).toEqual(expect.arrayContaining(['/incidents', '/report', '/']))
    expect(links.includes('/admin')).toBe(who === 'manager')
  })
})
