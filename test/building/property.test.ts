import { load } from 'cheerio'
import { afterEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { idle, startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { useHouse } from '../support/house/house.js'
import { scalar } from '../support/rows.js'

const house = useHouse()
const path = '/api/admin/property'

describe('the property', () => {
  afterEach(() => patch(home))

  it('is read and changed by the office', async () => {
    expect(await house.json('board', path)).toEqual(home)
    const changed = await patch({ name: 'Larkspur House', id: 7 })
    expect(changed).toEqual({ ...home, name: 'Larkspur House' })
    const [entry] = await query<{ action: string; changes: unknown }>(
      `select action, changes from audit_entries where entity = 'property' order by id desc limit 1`,
    )
    expect(entry).toEqual({
      action: 'property.updated',
      changes: { name: { before: 'Larkspur Court', after: 'Larkspur House' } },
    })
  })

  it('has the tower of its first start named in its language, while no one has renamed it', async () => {
    const name = async () => (await house.json('guest', '/api/towers')).at(-1).name
    const { id } = await house.json('manager', '/api/admin/towers', {
      json: { name: 'Main building', sortOrder: 99 },
    })
    await patch({ locale: 'es' })
    expect(await name()).toBe('Edificio principal')
    await patch({ locale: 'en' })
    expect(await name()).toBe('Main building')
    await house.json('manager', `/api/admin/towers/${id}`, { method: 'PATCH', json: { name: 'Mill House' } })
    await patch({ locale: 'es' })
    expect(await name()).toBe('Mill House')
    await house.ask('manager', `/api/admin/towers/${id}`, { method: 'DELETE' })
  })

  it('leaves who gets in to admins, and the rest of the office sees so', async () => {
    const who = 'manager'
    for (const [field, value] of [
      ['signUp', 'anybody'],
      ['secondFactorRequired', 'staff'],
    ] as const) {
      const answer = await house.ask(who, path, {
        method: 'PATCH',
        json: { officePhone: '1', [field]: value },
      })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({
        code: 'admin_only',
        errors: { [field]: ['Only an admin can change this setting'] },
      })
    }
    expect(await house.json(who, path)).toEqual(home)
    // The object as it was read is taken, with what may be changed.
    const json = { ...home, unitVisibility: 'staff' }
    expect((await house.json(who, path, { method: 'PATCH', json })).unitVisibility).toBe('staff')
    const page = await house.page(who, '/admin/property')
    expect(
      page('select[disabled]')
        .map((_, each) => page(each).attr('name'))
        .get(),
    ).toEqual(['secondFactorRequired', 'signUp'])
    expect(page('#signUp-hint').text()).toContain('Only an admin can change this.')
    expect((await house.page('admin', '/admin/property'))('select[disabled]').length).toBe(0)
  })

  it('keeps what only admins change through a refused form of another', async () => {
    await house.json('admin', path, { method: 'PATCH', json: { signUp: 'anybody' } })
    const { secondFactorRequired: _off, signUp: _own, ...sent } = { ...fieldsOf(home), currency: 'QQQ' }
    const page = load(await (await submitProperty(sent)).text())
    expect(page('#signUp option[selected]').val()).toBe('anybody')
    await house.json('admin', path, { method: 'PATCH', json: { signUp: 'office' } })
  })

  it('moved to another zone moves the days, the status and every page at once', async () => {
    const before = await house.json('guest', '/api/status')
    expect(before.property.timezone).toBe('Europe/London')
    expect((await house.page('guest', '/'))('footer').text()).toContain('United Kingdom Time')
    await patch({ timezone: 'pacific/kiritimati', name: 'Palm Court' })
    const after = await house.json('guest', '/api/status')
    expect(after.property).toMatchObject({ name: 'Palm Court', timezone: 'Pacific/Kiritimati' })
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(new Date())
    expect(after.assets[0].days.at(-1).date).toBe(today)
    const page = await house.page('guest', '/')
    expect(page('footer').text()).toContain('Line Islands Time')
    expect(page('.brand').text()).toBe('Palm Court')
    const form = await house.page('manager', '/admin/maintenance/2')
    expect(form('footer').text()).toContain('Line Islands Time')
  })

  it('moved to another zone announces the assets whose repeating work begins or ends by it', async () => {
    const assetId = await house.lift()
    const anHourAgo = new Date(Math.floor(Date.now() / hour) * hour - hour)
    await house.window({
      assetId,
      startsAt: new Date(anHourAgo.getTime() - 7 * 24 * hour),
      endsAt: new Date(anHourAgo.getTime() - 6 * 24 * hour),
      recurrence: 'weekly',
    })
    startOutbox([], async (ids) => void (await announceStatus(ids)), { watch: false })
    await patch({ timezone: 'UTC' })
    await idle()
    await stopOutbox()
    const announced = await scalar('select announced_status from assets where id = $1', [assetId])
    expect(announced).toBe('maintenance')
  })

  it('takes any zone there is', async () => {
    for (const [given, kept] of [
      ['utc', 'UTC'],
      ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ]) {
      expect((await patch({ timezone: given })).timezone).toBe(kept)
      expect((await house.ask('manager', '/api/assets/1')).status).toBe(200)
    }
  })

  it('is refused at the field that is wrong', async () => {
    const invalidZone = /Enter a valid time zone/
    for (const [json, field, text] of [
      [{ timezone: 'Europe/Atlantis' }, 'timezone', invalidZone],
      [{ timezone: '+02:00' }, 'timezone', invalidZone],
      [{ timezone: 'PST' }, 'timezone', invalidZone],
      [{ timezone: 'local' }, 'timezone', invalidZone],
      [{ timezone: 'x'.repeat(101) }, 'timezone', invalidZone],
      [{ timezone: '' }, 'timezone', /Enter a time zone/],
      [{ currency: 'QQQ' }, 'currency', /three letters/],
      [{ currency: 'Euro' }, 'currency', /three letters/],
      [{ locale: 'tlh' }, 'locale', /Select one of the languages/],
      [{ name: ' ' }, 'name', /Enter a name/],
    ] as const) {
      const answer = await house.ask('manager', path, { method: 'PATCH', json })
      const { errors } = await answer.json()
      expect([answer.status, errors]).toEqual([422, { [field]: [expect.stringMatching(text)] }])
    }
  })

  it('takes a currency in small letters, and shows money in it', async () => {
    expect((await patch({ currency: 'eur' })).currency).toBe('EUR')
    const page = await house.page('manager', '/assets/7')
    expect(page('.figures').text()).toContain('€')
  })
})

it('the form of the building is saved without script, and comes back with clear words for a zone that does not exist', async () => {
  const page = await house.page('manager', '/admin/property')
  const version = page('input[name=version]').attr('value')!
  expect(page('#timezone').attr('value')).toBe('Europe/London')
  expect(page(`datalist#timezone-list option[value="Europe/Berlin"]`).length).toBe(1)
  expect(page('#currency option[selected]').text()).toBe('GBP – British Pound')
  expect(page('a[href$="/delete"]').length).toBe(0)
  const refused = await submitProperty({ ...fieldsOf(home), timezone: 'London', version })
  expect(refused.status).toBe(422)
  const again = load(await refused.text())
  expect(again('#timezone').attr('value')).toBe('London')
  expect(again('#timezone-error').text()).toContain('Enter a valid time zone, like')
  const saved = await submitProperty({
    ...fieldsOf(home),
    address: '',
    version: again('input[name=version]').attr('value')!,
  })
  expect(saved.headers.get('location')).toBe('/admin/property?notice=saved')
  expect(await house.json('manager', path)).toEqual({ ...home, address: '' })
  await patch(home)
})

const hour = 3_600_000

const home = {
  id: 1,
  name: 'Larkspur Court',
  address: '21 Tidewell Street, London',
  timezone: 'Europe/London',
  currency: 'GBP',
  locale: 'en',
  officePhone: '020 7946 0120',
  emergencyNumber: '999',
  secondFactorRequired: 'off',
  unitVisibility: 'everybody',
  emailVisibility: 'at_once',
  signUp: 'office',
}

/** What a form sends of the property. */
function fieldsOf({ id: _id, ...fields }: typeof home) {
  return fields
}

/** The office changes the property; returns it as JSON. */
function patch(json: object) {
  return house.json('manager', path, { method: 'PATCH', json })
}

function submitProperty(form: Record<string, string>) {
  return house.submit('manager', '/admin/property', form)
}
