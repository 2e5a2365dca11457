import { beforeAll, describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'
import { multipart, picture } from '../support/pictures.js'
import { manyRows } from '../support/rows.js'

const house = useHouse()
const { maya, guest, office } = house

describe('the page of a report with forty updates', () => {
  let id: number

  beforeAll(async () => {
    id = await reportWith(40)
  })

  it.each(['guest', 'resident', 'manager'] as const)(
    'shows %s the newest ten and how many there are',
    async (who) => {
      const page = await house.page(who, `/incidents/${id}`)
      const lines = page('.timeline li .prose').toArray()
      expect(lines.map((line) => page(line).text())).toEqual(
        Array.from({ length: 10 }, (_line, i) => `comment ${40 - i}`),
      )
      const more = page('#updates .rest')
      expect(more.text().replace(/\s+/g, ' ')).toContain(
        'Showing the newest 10 of 40 updates. Show all updates',
      )
      expect(more.find('a').attr('href')).toBe(`/incidents/${id}?updates=all#earlier`)
    },
  )

  it('shows all at one press, and leads to the first one that was left out', async () => {
    const page = await guest.page(`/incidents/${id}?updates=all`)
    expect(page('.timeline li')).toHaveLength(40)
    expect(page('#earlier').text()).toContain('comment 30')
    expect(page('#updates .rest')).toHaveLength(0)
  })

  it('ignores what nothing means, and JSON has all of them', async () => {
    expect((await guest.page(`/incidents/${id}?updates=some`))('.timeline li')).toHaveLength(10)
    expect((await guest.json(`/api/incidents/${id}`)).updates).toHaveLength(40)
  })

  it('has what came before a time as one page', async () => {
    const { updates } = await guest.json(`/api/incidents/${id}`)
    const before = new URLSearchParams({ before: updates.at(-5).createdAt })
    const page = await guest.page(`/incidents/${id}?${before}`)
    expect(page('.timeline li')).toHaveLength(35)
    expect(page('#earlier')).toHaveLength(0)
  })

  it('leads to the box for a comment from its heading', async () => {
    const page = await maya.page(`/incidents/${id}`)
    const heading = page('#updates h2').parent()
    expect(page(heading.find('a').attr('href')!).text()).toBe('Add a comment')
  })
})

describe('the page of a report', () => {
  it('says nothing of more where ten are all', async () => {
    const page = await guest.page(`/incidents/${await reportWith(10)}`)
    expect(page('.timeline li')).toHaveLength(10)
    expect(page('#updates .rest')).toHaveLength(0)
  })

  it('keeps the photos of updates that it leaves out', async () => {
    const id = await maya.reports(await house.lift())
    const body = multipart({ body: 'As it looks' }, [{ bytes: await picture() }])
    await maya.json(`/api/incidents/${id}/updates`, { body })
    for (let n = 0; n < 10; n++) await maya.comments(id, `comment ${n}`)
    const page = await guest.page(`/incidents/${id}`)
    expect(page('.timeline').text()).not.toContain('As it looks')
    expect(page('.photos img')).toHaveLength(1)
  })

  it('is at most 60 KB with four hundred updates, and leads to all of them', async () => {
    const id = await reportWith(400)
    const path = `/incidents/${id}`
    for (const who of [guest, maya, office])
      expect((await (await who.ask(path)).text()).length).toBeLessThan(60_000)
    const first = await guest.page(path)
    expect(first('#updates .rest').text()).toMatch(/newest 10 of more than 300 updates\./)
    const all = await guest.page(`${path}?updates=all`)
    const rest = await guest.page(all('#updates a[rel=next]').attr('href')!)
    expect(all('.timeline li').length + rest('.timeline li').length).toBe(400)
  })
})

/** A report with so many comments, one a minute. */
async function reportWith(comments: number): Promise<number> {
  const id = await maya.reports(await house.lift())
  await manyRows('incident_updates', comments, {
    incident_id: `${id}`,
    author_label: `'Maya Okafor'`,
    body: `'comment ' || n`,
    created_at: `now() + n * interval '1 minute'`,
  })
  return id
}
