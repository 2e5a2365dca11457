import { beforeAll, describe, expect, it } from 'vitest'
import { useHouse } from '../../support/house/house.js'
import { column } from '../../support/rows.js'

const house = useHouse()
const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

let incident: number
beforeAll(async () => {
  incident = await house.report({ assetId: 1, title: 'Something to speak of', severity: 'low' })
})

/** Forms that name their author: page, address, and the field of their words. */
const forms: [what: string, page: () => string, action: () => string, words: string][] = [
  ['a report', () => '/report', () => '/report', 'title'],
  ['a comment', () => `/incidents/${incident}`, () => `/incidents/${incident}/updates`, 'body'],
]

describe.each(forms)('%s', (what, page, action, words) => {
  const fields = async (who: 'resident' | 'board', text: string) => {
    const $ = await house.page(who, page())
    const writer = $(`form[action="${action()}"] input[name=writer]`).attr('value')!
    return { writer, assetId: '1', severity: 'low', [words]: text }
  }

  it('is not sent in the name of another, who signed in where it was written', async () => {
    const text = `${what} of a resident`
    const form = await fields('resident', text)
    const refused = await house.submit('board', action(), form)
    expect([refused.status, await stored(text)]).toEqual([409, []])
    const page = await refused.text()
    expect(page).toContain('Someone else is signed in')
    expect(page).not.toContain(text)
    expect((await house.submit('resident', action(), form)).status).toBe(303)
    expect(await stored(text)).toEqual(['Maya Okafor'])
  })

  it.each([
    ['its author after another sign-in', (writer: string) => writer, 303],
    ['nobody, as a guest’s', () => '', 303],
    ['an author that was made up', () => 'somebody', 409],
  ])('that names %s', async (_whom, named, status) => {
    const text = `${what} that names ${_whom}`
    const form = await fields('resident', text)
    const cookie = await house.signIn('resident@example.com')
    const headers = { ...html, cookie }
    const answer = await house.ask('guest', action(), {
      form: { ...form, writer: named(form.writer) },
      headers,
    })
    expect([answer.status, (await stored(text)).length]).toEqual([status, status === 303 ? 1 : 0])
  })
})

describe('the page of what waits', () => {
  it('has the mark of who is signed in, as the forms have it, and none of a guest’s', async () => {
    const marked = async (who: 'resident' | 'guest') =>
      (await house.page(who, '/report/waiting'))('#waiting').attr('data-writer')
    const form = await house.page('resident', '/report')
    expect(await marked('resident')).toBe(form('input[name=writer]').attr('value'))
    expect(await marked('guest')).toBe('')
  })

  it('has all words for what waits, in the language of its reader', async () => {
    const wordsIn = async (language: string) => {
      const page = await house.page('guest', '/report/waiting', { headers: { 'accept-language': language } })
      return JSON.parse(page('#waiting').attr('data-words')!)
    }
    const [english, spanish] = [await wordsIn('en'), await wordsIn('es')]
    expect(Object.keys(spanish)).toEqual(Object.keys(english))
    expect([english.written, spanish.written]).toEqual(['Written: ….', 'Escrito: ….'])
  })
})

/** Who wrote a report or a comment with these words. */
function stored(words: string): Promise<string[]> {
  return column<string>(
    `select u.name from incidents i join users u on u.id = i.reporter_id where i.title = $1
       union all select u.name from incident_updates e join users u on u.id = e.author_id where e.body = $1`,
    [words],
  )
}
