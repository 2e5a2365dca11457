import { describe, expect, it } from 'vitest'
import { demoContacts } from '../../src/demo/directory.js'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const list = '/api/admin/assets'
const engineer = demoContacts.find(({ name }) => name === 'Lift engineer')!
/** The South lift, which the engineer looks after, and the South entrance, which no one does. */
const [lift, entrance] = [7, 8]
const shownWords = [engineer.label, engineer.phone, engineer.email, 'Stuck inside? Hold the yellow bell']

let records = 0

describe('the page of a lift', () => {
  it('names its engineer to those with an account', async () => {
    const page = await house.page('resident', `/assets/${lift}`)
    const section = page('section[aria-labelledby=keeper]')
    expect(section.find('h2')).toHaveLength(1)
    expect(section.find('strong').text()).toBe(engineer.name)
    for (const words of shownWords) expect(section.text()).toContain(words)
    const call = section.find('a[href="tel:08081570133"]')
    expect(call.text()).toBe(engineer.phone)
    expect(call.attr('aria-label')).toBe(`Call Lift engineer: ${engineer.phone}`)
    expect(section.find(`a[href="mailto:${engineer.email}"]`).length).toBe(1)
  })

  it('shows everyone a public contact and its hours, also where one reports from its sticker', async () => {
    const keeper = (await house.page('guest', `/assets/${lift}`))('section[aria-labelledby=keeper]')
    for (const words of [...shownWords, '24 hours']) expect(keeper.text()).toContain(words)
    const { contact } = await house.json('guest', `/api/assets/${lift}`)
    expect(contact).toMatchObject({ name: engineer.name, hoursSunday: '00:00-24:00' })
    const form = (await house.page('guest', `/report?assetId=${lift}`))('#known')
    expect(form.text().replace(/\s+/g, ' ')).toContain(
      'Lift engineer: 0808 157 0133 (24 hours). Stuck inside?',
    )
    expect(form.find('a[href="tel:08081570133"]').length).toBe(1)
  })

  it('tells guests nothing of a contact that is not public', async () => {
    await changeContact({ isPublic: false })
    const page = await house.page('guest', `/assets/${lift}`)
    const form = await house.page('guest', `/report?assetId=${lift}`)
    for (const words of [engineer.name, ...shownWords]) expect(form.html()).not.toContain(words)
    expect(page('#keeper').length).toBe(0)
    for (const words of [engineer.name, ...shownWords]) expect(page.html()).not.toContain(words)
    const { headers: answered } = await house.ask('guest', `/api/assets/${lift}`)
    const text = JSON.stringify(await house.json('guest', `/api/assets/${lift}`))
    expect(answered.get('cache-control')).not.toContain('public')
    for (const words of ['"contact"', engineer.name, ...shownWords]) expect(text).not.toContain(words)
    await changeContact({ isPublic: true })
  })

  it('leaves out what the contact does not say, and itself where there is none', async () => {
    for (const who of ['guest', 'manager'] as const)
      expect((await house.page(who, `/assets/${entrance}`))('#keeper').length).toBe(0)
    const { id } = await addAsset({ contactId: await addContact({ name: 'Gardener' }) })
    const section = (await house.page('resident', `/assets/${id}`))('section[aria-labelledby=keeper]')
    expect(section.find('p').text()).toBe('Gardener')
    expect(section.find('a').length).toBe(0)
  })
})

it('the JSON of an asset has the contact as the directory has it, for who may read that', async () => {
  for (const who of ['resident', 'mobile', 'manager'] as const) {
    const contacts = await house.json(who, '/api/contacts')
    const { contact } = await house.json(who, `/api/assets/${lift}`)
    expect(contact).toEqual(contacts.find(({ name }: { name: string }) => name === engineer.name))
    expect((await house.json(who, `/api/assets/${entrance}`)).contact).toBeNull()
  }
  expect(await house.json('guest', `/api/assets/${entrance}`)).not.toHaveProperty('contact')
})

describe('the office', () => {
  it('sets, changes and takes away who looks after an asset, as an entry says', async () => {
    const [first, second] = [await addContact(), await addContact()]
    const { id, contactId, contactName } = await addAsset()
    expect([contactId, contactName]).toEqual([null, null])
    for (const [before, after] of [
      [null, first],
      [first, second],
      [second, null],
    ] as const) {
      const shown = await change(id, { contactId: after })
      expect([shown.contactId, shown.contactName === null]).toEqual([after, after === null])
      expect(await lastEntry(id)).toEqual({
        action: 'asset.updated',
        changes: { contactId: { before, after } },
      })
    }
    await change(id, { contactId: first })
    expect((await change(id, { description: 'On the roof' })).contactId).toBe(first)
    const page = await house.page('admin', `/admin/audit?entity=asset&entityId=${id}`)
    expect(page('main').text()).toMatch(new RegExp(`Contact id:\\s*nothing\\s*→\\s*${first}`))
  })

  it.each([999_999, 'x'])('is told of a contact there is not: %j', async (contactId) => {
    for (const [path, method] of [
      [list, 'POST'],
      [`${list}/${entrance}`, 'PATCH'],
    ] as const) {
      const json = { towerId: 1, name: `Sauna ${++records}`, category: 'Leisure', contactId }
      const answer = await house.ask('manager', path, { method, json })
      expect([answer.status, (await answer.json()).errors]).toEqual([
        422,
        { contactId: ['Select one of the contacts'] },
      ])
    }
  })

  it('sets it in the form, and empties it there', async () => {
    const keeper = await addContact({ name: 'Pool service', label: 'Day and night' })
    const form = { towerId: '1', name: `Sauna ${++records}`, category: 'Leisure', code: '', description: '' }
    const page = await house.page('manager', '/admin/assets/new')
    expect(page('label[for=contactId]')).toHaveLength(1)
    expect(page('#contactId option').first().attr('value')).toBe('')
    expect(page(`#contactId option[value=${keeper}]`).text()).toBe('Pool service, Day and night')
    const answer = await house.submit('manager', '/admin/assets', {
      ...form,
      sortOrder: '0',
      contactId: `${keeper}`,
    })
    const path = answer.headers.get('location')!.split('?')[0]!
    expect((await house.json('manager', `/api${path}`)).contactName).toBe('Pool service')
    const edit = await house.page('manager', path)
    expect(edit('#contactId option[selected]').attr('value')).toBe(`${keeper}`)
    const version = edit('input[name=version]').attr('value')!
    const emptied = await house.submit('manager', path, { ...form, sortOrder: '0', contactId: '', version })
    expect(emptied.status).toBe(303)
    expect((await house.json('manager', `/api${path}`)).contactId).toBeNull()
    const again = (await house.page('manager', path))('input[name=version]').attr('value')!
    const untouched = await house.submit('manager', path, { ...form, sortOrder: '0', version: again })
    expect(untouched.status).toBe(303)
  })
})

describe('a contact that looks after assets', () => {
  it('is deleted after the page has said what goes with it, and leaves them to nobody', async () => {
    const keeper = await addContact({ name: 'Short-lived' })
    const [{ id }, other] = [await addAsset({ contactId: keeper }), await addAsset({ contactId: keeper })]
    const page = await house.page('manager', `/admin/contacts/${keeper}/delete`)
    expect(page('.points').text().trim()).toBe('“Maintained by” on 2 assets')
    expect(page('main form').attr('action')).toBe(`/admin/contacts/${keeper}/delete`)
    expect((await house.submit('manager', `/admin/contacts/${keeper}/delete`, {})).status).toBe(303)
    for (const each of [id, other.id]) {
      expect((await house.json('resident', `/api/assets/${each}`)).contact).toBeNull()
      expect(await house.json('manager', `${list}/${each}`)).toMatchObject({
        contactId: null,
        contactName: null,
      })
    }
    expect((await house.page('resident', `/assets/${id}`))('#keeper').length).toBe(0)
  })

  it('is not taken for one that was deleted meanwhile', async () => {
    const keeper = await addContact()
    const { id } = await addAsset()
    const [removed, set] = await Promise.all([
      house.ask('manager', `/api/admin/contacts/${keeper}`, { method: 'DELETE' }),
      house.ask('manager', `${list}/${id}`, { method: 'PATCH', json: { contactId: keeper } }),
    ])
    expect(removed.status).toBe(204)
    expect([200, 422]).toContain(set.status)
    expect((await house.json('manager', `${list}/${id}`)).contactId).toBeNull()
  })

  it('is the first one offered for an incident of those assets, and chosen by no one but the office', async () => {
    const choices = async (assetId: number) => {
      const id = await house.report({ assetId, title: 'It hums', severity: 'low' })
      const page = await house.page('manager', `/incidents/${id}`)
      expect(page('select[name=assignee] option[selected]').attr('value') ?? 'nobody').toBe('nobody')
      return page('select[name=assignee] option')
        .toArray()
        .map((option) => page(option).text())
    }
    const [nobody, first, ...others] = await choices(lift)
    expect(nobody).toBe('No one yet')
    expect(first).toBe(`Usual contractor: ${engineer.name}, ${engineer.label}`)
    expect(others.join()).not.toContain(engineer.name)
    const usual = await choices(entrance)
    expect(usual.join()).not.toContain('Usual contractor')
    expect(usual.at(1)).not.toContain(engineer.name)
    expect(usual).toHaveLength(others.length + 2)
  })
})

/** The office changes the lifts' engineer. */
async function changeContact(json: object) {
  const all = await house.list('manager', '/api/admin/contacts')
  const { id } = all.find(({ name }) => name === engineer.name)!
  await house.json('manager', `/api/admin/contacts/${id}`, { method: 'PATCH', json })
}

/** The office adds a contact; returns its id. */
async function addContact(given: object = {}): Promise<number> {
  return (
    await house.json('manager', '/api/admin/contacts', { json: { name: `Keeper ${++records}`, ...given } })
  ).id
}

/** The office adds an asset; returns it as JSON. */
function addAsset(given: object = {}) {
  return house.json('manager', list, {
    json: { towerId: 1, name: `Sauna ${++records}`, category: 'Leisure', ...given },
  })
}

/** The office changes an asset; returns it as JSON. */
function change(id: number, json: object) {
  return house.json('manager', `${list}/${id}`, { method: 'PATCH', json })
}

/** What the log says was done last to an asset. */
async function lastEntry(id: number) {
  return (
    await query<{ action: string; changes: object }>(
      `select action, changes from audit_entries where entity = 'asset' and entity_id = $1 order by id desc limit 1`,
      [id],
    )
  )[0]!
}
