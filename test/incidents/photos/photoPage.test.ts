import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useHouse } from '../../support/house/house.js'

const house = useHouse()

describe('the page of a photo', () => {
  it('leads back to its report and on to the next photo', async () => {
    const { id, title, first, second } = await reportWithTwoPhotos()
    const report = await house.page('guest', `/incidents/${id}`)
    expect(report('.photos a').attr('href')).toBe(first)
    expect(report('.photos img').attr('alt')).toBe(`Photo 1 of 2: ${title}`)
    const page = await house.page('guest', first)
    expect(page('main img').attr('alt')).toBe(`Photo: ${title}`)
    expect(page('main .button').attr('href')).toBe(`/incidents/${id}`)
    expect(page('a[rel=next]').attr('href')).toBe(second)
    expect(page('a[rel=prev]')).toHaveLength(0)
  })

  it('is there for a photo of that report only, and for a hidden one to staff only', async () => {
    const { id, first, second, photoId } = await reportWithTwoPhotos()
    const elsewhere = first.replace(`/${id}/`, `/${id - 1}/`)
    expect((await house.ask('guest', elsewhere)).status).toBe(404)
    expect((await house.submit('manager', `/incidents/${id}/hide`, { photoId: `${photoId}` })).status).toBe(
      303,
    )
    expect((await house.ask('guest', first)).status).toBe(404)
    expect((await house.ask('manager', first)).status).toBe(200)
    expect((await house.page('guest', second))('h1').text()).toBe('Photo 1 of 1')
  })
})

async function reportWithTwoPhotos() {
  const [report] = await query<{ id: number; title: string; photos: number[] }>(
    `select i.id, i.title, array_agg(p.id order by p.id) as photos
     from incidents i join photos p on p.incident_id = i.id
     group by i.id having count(*) = 2 order by i.id limit 1`,
  )
  const { id, title, photos } = report!
  const [first, second] = photos.map((photo) => `/incidents/${id}/photos/${photo}`)
  return { id, title, first: first!, second: second!, photoId: photos[0]! }
}
