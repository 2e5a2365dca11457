import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { expectBare } from '../../support/photos/cleanPhoto.js'
import { decodeWithoutLibheif } from '../../support/photos/decoders.js'
import { marker, sample } from '../../support/photos/samples.js'
import { multipart } from '../../support/pictures.js'

const house = useHouse()
let n = 0

describe('a report with a HEIC photo', () => {
  it('by the API has a JPEG without what the file said of its maker', async () => {
    expect(sample('heic-with-thumbnail').includes(marker)).toBe(true)
    const answer = await reportWithHeic('manager', '/api/incidents', 'application/json')
    expect(answer.status).toBe(201)
    const { photos } = (await answer.json()) as { photos: { path: string }[] }
    expect(photos).toHaveLength(1)
    const stored = await house.ask('guest', `/api/photos/${photos[0]!.path}`)
    await expectBare(Buffer.from(await stored.arrayBuffer()))
  })

  it('by the form is taken, which offers such files', async () => {
    const page = await house.page('resident', '/report')
    expect(page('input[type=file][multiple]').attr('accept')).toContain('image/heic')
    const answer = await reportWithHeic('resident', '/report', 'text/html')
    expect(answer.status).toBe(303)
  })

  it('is refused in plain words where the package for it is not installed', async () => {
    await decodeWithoutLibheif()
    const answer = await reportWithHeic('manager', '/api/incidents', 'application/json')
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({
      code: 'unsupported_type',
      errors: { photos: ['“IMG_0042.HEIC” is a HEIC photo, which this server can’t read. Save it as JPEG'] },
    })
    const form = await reportWithHeic('resident', '/report', 'text/html')
    expect(form.status).toBe(422)
    expect(load(await form.text())('#photos-error').text()).toContain('Save it as JPEG')
  })
})

/** Sends a report with a HEIC photo. */
function reportWithHeic(who: Who, path: '/report' | '/api/incidents', accept: string) {
  n += 1
  const fields = { assetId: '2', title: `Dark in the cabin ${n}`, severity: 'low' }
  const photo = { bytes: sample('heic-with-thumbnail'), name: 'IMG_0042.HEIC', type: 'image/heic' }
  return house.ask(who, path, {
    body: multipart(fields, [photo]),
    headers: { accept, 'sec-fetch-site': 'same-origin' },
  })
}
