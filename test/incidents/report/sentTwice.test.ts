import { randomUUID } from 'node:crypto'
import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { multipart, picture } from '../../support/pictures.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
beforeEach(() => forgetCounts())

describe('the same report sent again by the same person from a page fetched anew', () => {
  it('of two at once store one', async () => {
    const send = () =>
      house.submit('resident', '/report', {
        assetId: '2',
        title: 'Twins',
        severity: 'low',
        formKey: randomUUID(),
      })
    const answers = await Promise.all(Array.from({ length: 5 }, send))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409, 409])
    expect(await scalar(`select count(*)::integer as n from incidents where title = 'Twins'`)).toBe(1)
  })

  it('are asked about with the words and photos kept, and stored by one more press', async () => {
    const title = 'Same again'
    const given = { assetId: '2', title, description: 'It rattles.', severity: 'low' }
    const first = await house.submit('resident', '/report', { ...given, formKey: randomUUID() })
    const again = multipart({ ...given, title: ` same  AGAIN `, formKey: randomUUID() }, [
      { bytes: await picture() },
    ])
    const asked = await house.ask('resident', '/report', { body: again, headers: ours })
    expect(asked.status).toBe(409)
    const page = load(await asked.text())
    expect(page('h1').text()).toBe('You sent this just now')
    const [, id] = /^\/incidents\/(\d+)/.exec(first.headers.get('location')!)!
    expect(page(`main a[href="/incidents/${id}"]`).text()).toBe(`Open INC-${id}`)
    expect(page('blockquote').text()).toContain('It rattles.')
    const form = page('main form')
    expect(form.find('input[name=stagedPhotos]')).toHaveLength(1)
    const fields = form.serializeArray().map(({ name, value }): [string, string] => [name, value])
    const press = () =>
      house.ask('resident', form.attr('action')!, { body: new URLSearchParams(fields), headers: ours })
    const pressed = await press()
    expect(pressed.status).toBe(303)
    // A double tap on that button is one report.
    expect((await press()).headers.get('location')).toBe(pressed.headers.get('location'))
    expect(
      await scalar('select count(*)::integer as n from incidents where lower(title) like $1', [
        'same%again%',
      ]),
    ).toBe(2)
    expect(
      await scalar(
        `select count(*)::integer as n from photos p join incidents i on i.id = p.incident_id
         where lower(i.title) like $1`,
        ['same%again%'],
      ),
    ).toBe(1)
  })

  it('are stored by programs, by other people, and after an hour', async () => {
    const json = { assetId: 2, title: 'Each its own', severity: 'low' }
    const send = (who: 'resident' | 'board') =>
      house.submit(who, '/report', { ...json, assetId: '2', formKey: randomUUID() })
    expect((await send('resident')).status).toBe(303)
    expect((await send('resident')).status).toBe(409)
    expect((await send('board')).status).toBe(303)
    expect((await house.ask('resident', '/api/incidents', { json })).status).toBe(201)
    expect((await house.ask('resident', '/api/incidents', { json })).status).toBe(201)
    await query(`update idempotency_keys set created_at = now() - interval '61 minutes'`)
    expect((await send('resident')).status).toBe(303)
    expect((await send('resident')).status).toBe(409)
  })
})
