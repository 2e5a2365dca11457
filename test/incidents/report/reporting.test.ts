import { load } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatFor } from '../../../src/platform/http/format/format.js'
import { config } from '../../../src/platform/process/config.js'
import { userIdOf } from '../../support/accounts.js'
import { useHouse } from '../../support/house/house.js'

const house = useHouse()
const { maya, office } = house
let assetId: number
let name: string

/** A working asset, so that what a test reports is all that is wrong with it. */
beforeAll(async () => {
  const { assets } = await house.json('guest', '/api/status')
  const working = assets.find(({ status }: { status: string }) => status === 'operational')
  assetId = working.id
  name = working.name
})

describe('the report form with an asset chosen', () => {
  it('says first how it is and what others have reported, with a button to join them', async () => {
    const { id } = await reportHum('mobile', { title: 'Screeches', severity: 'critical' })
    const page = await house.page('resident', `/report?assetId=${assetId}`)
    expect(page('#known .state').text()).toMatch(/^Out of service, since /)
    expect(page('#known .state svg use').attr('href')).toBe('#i-down')
    const row = page(`#known li:has(a[href="/incidents/${id}"])`)
    expect(row.text()).toContain('Screeches')
    expect(row.text()).toContain('reported')
    expect(row.text()).not.toContain('affected')
    expect(row.find('time').attr('datetime')).toMatch(/Z$/)
    expect(row.find('form').attr('action')).toBe(`/incidents/${id}/follow`)
    expect(row.find('button').attr('aria-label')).toBe('I have this too: Screeches')
    expect(page('#assetId option[selected]').attr('value')).toBe(`asset-${assetId}`)
    expect(page('#known').index()).toBeLessThan(page('form[action="/report"]').index())
  })

  it('takes somebody who presses that button to the incident, once', async () => {
    const { id } = await reportHum('mobile', { title: 'Screeches again' })
    const asked = { form: {}, headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' } }
    for (let press = 1; press <= 2; press++) {
      const answer = await house.ask('resident', `/incidents/${id}/follow`, asked)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/incidents/${id}?notice=following`,
      ])
    }
    expect(await affected(id)).toBe(2)
    const page = await house.page('resident', `/report?assetId=${assetId}`)
    const row = page(`#known li:has(a[href="/incidents/${id}"])`).text()
    expect(row).toContain('You follow this report')
    expect(row).toContain('2 people affected')
  })

  it('says of a report that came back that it is not fixed', async () => {
    const { id } = await reportHum('resident', { title: 'Screeches after the repair' })
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'Oiled.', newStatus: 'resolved' },
    })
    await house.json('resident', `/api/incidents/${id}/verify`, { json: { fixed: false } })
    const page = await house.page('resident', `/report?assetId=${assetId}`)
    expect(page(`#known li:has(a[href="/incidents/${id}"])`).text()).toContain('Reported as not fixed')
  })

  it('is what a sticker opens, and works for a choice that is none of ours', async () => {
    const sticker = await house.ask('guest', `/r/${assetId}`)
    expect(sticker.headers.get('location')).toBe(`/report?assetId=${assetId}`)
    for (const query of ['', '?assetId=', '?assetId=999999', '?assetId=x']) {
      const page = await house.page('resident', `/report${query}`)
      expect(page('#known').children().length, query).toBe(0)
      expect(page('#title').length, query).toBe(1)
    }
  })

  it('gives htmx the known part alone when the choice changes', async () => {
    const headers = { 'hx-request': 'true', accept: '*/*' }
    const answer = await house.ask('resident', `/report?assetId=${assetId}`, { headers })
    const part = load(await answer.text(), null, false)
    expect(part.root().children().length).toBe(1)
    expect(part('form').length).toBe(0)
    expect(part('#chosen').attr('data-said')).toMatch(
      new RegExp(`^${name}: Out of service\\. \\d open reports?\\.$`),
    )
    const empty = await house.ask('resident', '/report?assetId=', { headers })
    expect((await empty.text()).trim()).toBe('<div id="chosen">\n</div>')
    const select = (await house.page('resident', '/report'))('#assetId')
    expect(select.attr('hx-target')).toBe('#chosen')
    expect(select.closest('.field').next().attr('id')).toBe('chosen')
  })

  it('asks for no more than a title when the asset is chosen, and keeps what is known beside a refusal', async () => {
    const form = { assetId: String(assetId), severity: 'medium' }
    const refused = await house.page('resident', '/report', {
      form,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(
      refused('.errors a')
        .toArray()
        .map((link) => refused(link).attr('href')),
    ).toEqual(['#title'])
    expect(refused('#known h2').first().text()).toContain(name)
  })

  it('leaves out what is resolved', async () => {
    const { id } = await reportHum('mobile', { title: 'Long gone' })
    await office.resolves(id, 'Oiled')
    expect((await house.page('resident', `/report?assetId=${assetId}`))('#known').text()).not.toContain(
      'Long gone',
    )
  })
})

describe('the question how bad it is', () => {
  const place = () => ({ place: `asset-${assetId}` })

  it('need not be answered on the form: the report is medium', async () => {
    const answer = await house.submit('resident', '/report', { title: 'It squeaks', ...place() })
    const id = /\d+/.exec(answer.headers.get('location') ?? '')?.[0]
    expect(await house.json('resident', `/api/incidents/${id}`)).toMatchObject({ severity: 'medium' })
  })

  it('is answered by every program, and by no unknown word', async () => {
    const wrong = async (form: Record<string, string>) => {
      const answer = await house.ask('resident', '/api/incidents', {
        method: 'POST',
        form: { title: 'It squeaks', ...form },
      })
      return [answer.status, (await answer.json()).errors?.severity]
    }
    expect(await wrong({ assetId: String(assetId) })).toEqual([422, [expect.any(String)]])
    expect(await wrong({ ...place(), severity: 'awful' })).toEqual([422, [expect.any(String)]])
  })
})

describe('the question what is broken', () => {
  const unitsOf = () => house.json('resident', '/api/units')
  const sent = (who: 'guest' | 'resident', form: Record<string, string>) =>
    house.submit(who, '/report', { title: `It leaks, ${JSON.stringify(form)}`, severity: 'low', ...form })
  const selected = async (who: 'guest' | 'resident', query: string) =>
    (await house.page(who, `/report${query}`))('#assetId option[selected]').attr('value')

  /** Moves the resident into a flat, and says which it is. */
  async function flatOfOnesOwn(): Promise<number> {
    const [, second] = await unitsOf()
    const path = `/api/admin/users/${await userIdOf('resident')}`
    await house.json('admin', path, { method: 'PATCH', json: { unitId: second.id } })
    return second.id
  }

  it('has one list of things and flats, the own flat first, with what the address says', async () => {
    const own = await flatOfOnesOwn()
    const [{ id: other }] = await unitsOf()
    const cases = {
      '': undefined,
      [`?assetId=${assetId}`]: `asset-${assetId}`,
      [`?unitId=${other}`]: `unit-${other}`,
      [`?unitId=${own}`]: `unit-${own}`,
      [`?place=unit-${other}`]: `unit-${other}`,
    }
    for (const [address, value] of Object.entries(cases))
      for (const who of ['resident', 'guest'] as const)
        expect(await selected(who, address), `${who} ${address}`).toBe(value)
    const options = (await house.page('resident', '/report'))(`#assetId option[value=unit-${own}]`)
    expect([options.length, options.text()]).toEqual([1, expect.stringMatching(/^My flat \(.+ · .+\)$/)])
    expect((await house.page('resident', '/report'))('[name=severity][checked]').length).toBe(0)
  })

  it('comes after the photo, and is folded where a sticker has answered it', async () => {
    const namesOf = async (address: string) =>
      (await house.page('guest', address))('form .field, form fieldset')
        .toArray()
        .map((field) => field.attribs.id ?? field.attribs.class ?? '')
    expect((await namesOf('/report')).slice(0, 2)).toEqual(['add-photos', 'unitId'])
    const sticker = await house.page('guest', `/report?assetId=${assetId}`)
    expect(sticker('#assetId').closest('details:not([open])').find('summary').text()).toContain(name)
    expect((await house.page('guest', '/report'))('#assetId').closest('details').length).toBe(0)
    const gone = await house.page('guest', '/report?assetId=99999')
    expect(gone('#assetId').closest('details').length).toBe(0)
  })

  it('is what the list says, or the one field that a program sends', async () => {
    const [{ id: other }] = await unitsOf()
    const [thing, flat] = [String(assetId), String(other)]
    const inAsset = { assetId, unitId: null }
    const inFlat = { assetId: null, unitId: other }
    const cases: [Record<string, string>, object][] = [
      [{ place: `asset-${assetId}` }, inAsset],
      [{ place: `unit-${other}` }, inFlat],
      [{ assetId: thing }, inAsset],
      [{ unitId: flat }, inFlat],
    ]
    for (const [form, place] of cases) {
      const answer = await sent('resident', form)
      const id = /\d+/.exec(answer.headers.get('location') ?? '')?.[0]
      expect(await house.json('resident', `/api/incidents/${id}`), JSON.stringify(form)).toMatchObject(place)
    }
  })

  it('says at the list what is missing, and keeps the answer', async () => {
    const cases: Record<string, string>[] = [{}, { place: 'x' }, { place: 'asset-999999' }]
    for (const who of ['guest', 'resident'] as const)
      for (const form of cases) {
        const answer = await sent(who, form)
        if (who === 'guest' && form.place?.startsWith('asset-')) continue
        expect(answer.status).toBe(422)
        const page = load(await answer.text())
        const links = page('.errors a').map((_, link) => page(link).attr('href'))
        expect(links.get(), `${who} ${JSON.stringify(form)}`).toEqual(['#assetId'])
        expect(page('#assetId').attr('aria-invalid')).toBe('true')
        expect(page('#assetId-error').length).toBe(1)
      }
  })
})

describe('how many are affected', () => {
  it('counts the report and everybody who said so, whoever stops following later', async () => {
    const { id, affectedCount } = await reportHum('resident')
    expect(affectedCount).toBe(1)
    await house.app.follows(id)
    await office.follows(id)
    expect(await affected(id)).toBe(3)
    await house.ask('resident', `/api/incidents/${id}/follow`, { method: 'DELETE' })
    expect(await affected(id)).toBe(3)
    await house.ask('manager', `/api/incidents/${id}/follow`, { method: 'DELETE' })
    expect(await affected(id)).toBe(2)
  })

  it('is the same whoever the anonymous reporter of a merged duplicate is', async () => {
    const counts = []
    for (const reporter of ['resident', 'board'] as const) {
      const survivor = await reportHum('resident', { title: 'By name' })
      const duplicate = await reportHum(reporter, { title: 'Without a name', isAnonymous: true })
      await office.merges(duplicate.id, survivor.id)
      counts.push(await affected(survivor.id))
    }
    expect(counts).toEqual([2, 2])
  })

  it('is the same whether the one who joins an anonymous report made it or not', async () => {
    const counts = []
    for (const reporter of ['resident', 'board'] as const) {
      const { id } = await reportHum(reporter, { title: 'Without a name', isAnonymous: true })
      await maya.follows(id)
      counts.push(await affected(id))
    }
    expect(counts).toEqual([2, 2])
  })
})

describe('the page after a report', () => {
  it('says the reference, by when to expect an answer, and what else can be done', async () => {
    const answer = await house.submit('resident', '/report', {
      assetId: String(assetId),
      title: 'It rattles',
      severity: 'high',
    })
    const location = answer.headers.get('location')!
    expect(location).toMatch(/^\/incidents\/\d+\?notice=reported$/)
    const id = Number(/\d+/.exec(location)![0])
    const page = await house.page('resident', location)
    const panel = page('section.sent')
    expect(panel.find('.reference').text()).toContain(`INC-${id}`)
    const { createdAt } = await house.json('guest', `/api/incidents/${id}`)
    const target = new Date(Date.parse(createdAt) + config.slaTargets.high * 3_600_000)
    const { property } = await house.json('guest', '/api/status')
    const deadline = formatFor('en', property.timezone).deadline(target.toISOString(), false)
    expect(panel.text()).toContain(`aim to reply by ${deadline}.`)
    expect(panel.text()).not.toMatch(/reply by .*\d\d:\d\d/)
    expect(panel.text()).toContain('We’ll email you when something changes')
    expect(panel.find('form').attr('action')).toBe(`/incidents/${id}/unfollow`)
    expect(panel.find(`a[href="/report?assetId=${assetId}"]`).text()).toContain(name)
    expect(page('.notice').length).toBe(0)
  })

  it('promises an answer to the minute only where someone is in danger', async () => {
    const { id } = await reportHum('resident', { title: 'It burns', severity: 'critical' })
    const page = await house.page('resident', `/incidents/${id}?notice=reported`)
    expect(page('section.sent').text()).toMatch(/reply by (\w{3} )?\d\d:\d\d\./)
  })

  it('still tells the truth from a bookmark, once things have moved on', async () => {
    const { id } = await reportHum('resident', { title: 'It rattles', severity: 'high' })
    await office.starts(id, 'Seen')
    const page = await house.page('resident', `/incidents/${id}?notice=reported`)
    expect(page('section.sent').text()).toContain('Current status: Being worked on.')
    expect(page('section.sent').text()).not.toContain('aim to reply')
  })

  it('is not shown on any other visit, nor to anybody else who opens its address', async () => {
    const { id } = await reportHum('resident')
    for (const who of ['guest', 'board', 'manager'] as const) {
      const page = await house.page(who, `/incidents/${id}?notice=reported`)
      expect(page('section.sent, .notice').length, who).toBe(0)
    }
    expect((await house.page('guest', `/incidents/${id}?notice=updated`))('.notice').length).toBe(0)
    expect((await house.page('resident', `/incidents/${id}`))('section.sent').length).toBe(0)
  })
})

function reportHum(who: 'resident' | 'mobile' | 'board', fields: Record<string, unknown> = {}) {
  const json = { assetId, title: 'It hums', severity: 'low', ...fields }
  return house.json(who, '/api/incidents', { json })
}

async function affected(id: number): Promise<number> {
  return (await house.json('guest', `/api/incidents/${id}`)).affectedCount
}
