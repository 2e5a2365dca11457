import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

const contact = { name: 'Locksmith', label: 'Keys', phone: '020 7946 0199', email: 'keys@example.com' }

describe('a record of the office', () => {
  it('that did not change is no act', async () => {
    const { id } = await addContact()
    await house.json('manager', `/api/admin/contacts/${id}`, { method: 'PATCH', json: contact })
    expect(await entriesOf(id)).toHaveLength(1)
  })

  it('sent twice with the same key is one', async () => {
    const headers = { 'idempotency-key': 'locksmith-1' }
    const first = await house.json('manager', '/api/admin/contacts', { json: contact, headers })
    const again = await house.json('manager', '/api/admin/contacts', { json: contact, headers })
    expect(again).toEqual(first)
  })

  it('is refused at the field that is wrong', async () => {
    for (const [json, field, text] of [
      [{}, 'name', 'Enter a name'],
      [{ name: 'x'.repeat(201) }, 'name', 'The name must be 200 characters or fewer'],
      [{ name: 'x', isEmergency: 'perhaps' }, 'isEmergency', 'Select yes or no'],
      [{ name: 'x', sortOrder: 1.5 }, 'sortOrder', 'Enter a whole number'],
      [
        { name: 'x', email: 'see website' },
        'email',
        'Enter an email address in the correct format, like name@example.com',
      ],
      [{ name: 'a\0b' }, 'name', 'This contains characters we can’t save'],
    ] as const) {
      const answer = await house.ask('manager', '/api/admin/contacts', { json })
      expect([answer.status, (await answer.json()).errors[field]]).toEqual([422, [text]])
    }
  })

  it('takes a contact without an email address', async () => {
    expect((await addContact({ ...contact, email: ' ' })).email).toBe('')
    const { id } = await addContact({ name: 'Gardener' })
    await house.json('manager', `/api/admin/contacts/${id}`, { method: 'PATCH', json: { email: '' } })
    const path = `/api/admin/contacts/${id}`
    const answer = await house.ask('manager', path, { method: 'PATCH', json: { email: 'by phone' } })
    expect(answer.status).toBe(422)
  })

  it('of a name that is taken is refused at the name, also when two come at once', async () => {
    const answers = await Promise.all(
      ['South', 'South'].map((name) =>
        house.ask('manager', '/api/admin/towers', { json: { name: `${name} Wing` } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    const refused = answers.find(({ status }) => status === 422)!
    expect((await refused.json()).errors.name).toEqual(['This name is already in use. Choose another'])
  })

  it('that others need is not deleted', async () => {
    const answer = await house.ask('manager', '/api/admin/towers/1', { method: 'DELETE' })
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'in_use'])
    const page = await house.page('manager', '/admin/towers/1/delete')
    expect(page('main').text()).toContain('6 assets')
    expect(page('main form').length).toBe(0)
  })
})

describe('a list of records', () => {
  beforeAll(async () => {
    for (const n of [3, 1, 2]) await addContact({ name: `Plumber ${n}`, label: 'listed', sortOrder: 500 + n })
  })
  const names = async (asked: string) =>
    (await house.json('manager', `/api/admin/contacts?q=listed&${asked}`)).map(
      ({ name }: { name: string }) => name,
    )

  it('is newest first, and in the order asked for', async () => {
    expect(await names('')).toEqual(['Plumber 2', 'Plumber 1', 'Plumber 3'])
    expect(await names('sort=name')).toEqual(['Plumber 1', 'Plumber 2', 'Plumber 3'])
    expect(await names('sort=-order')).toEqual(['Plumber 3', 'Plumber 2', 'Plumber 1'])
  })

  it.each(['', 'sort=-name'])('goes on page by page with %j', async (asked) => {
    const walked = await house.list('manager', `/api/admin/contacts?q=listed&limit=1&${asked}`)
    expect(walked.map(({ name }) => name)).toEqual(await names(asked))
  })

  it('finds every word anywhere, and takes % and _ as they are', async () => {
    const found = await house.json('manager', '/api/admin/contacts?q=listed+mber+2')
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['Plumber 2'])
    expect(await house.json('manager', '/api/admin/contacts?q=%25')).toEqual([])
  })

  it('refuses orders and places it does not know', async () => {
    for (const asked of ['sort=colour', 'after=x', 'limit=-1', 'sort=name&sort=name'])
      expect((await house.ask('manager', `/api/admin/contacts?${asked}`)).status, asked).toBe(400)
  })
})

describe('the forms', () => {
  it('add, change and delete without script', async () => {
    const form = await house.page('manager', '/admin/contacts/new')
    expect(form('form[action="/admin/contacts"] input[name=formKey]').length).toBe(1)
    const made = await house.submit('manager', '/admin/contacts', { ...contact, isEmergency: 'false' })
    expect(made.status).toBe(303)
    const address = made.headers.get('location')!
    expect(address).toMatch(/^\/admin\/contacts\/\d+\?notice=added$/)
    const page = await house.page('manager', address)
    expect(page('.notice').text()).toBe(`${contact.name} added.`)
    const [path] = address.split('?') as [string]
    const version = page('input[name=version]').attr('value')!
    const changed = await house.submit('manager', path, { ...contact, name: 'Key shop', version })
    expect(changed.headers.get('location')).toBe(`${path}?notice=saved`)
    const question = await house.page('manager', `${path}/delete`)
    expect(question('h1').text()).toBe('Delete Key shop?')
    const gone = await house.submit('manager', `${path}/delete`, {})
    const list = await house.page('manager', gone.headers.get('location')!)
    expect(list('.notice').text()).toMatch(/^Key shop deleted\.\s*Undo/)
    const forged = await house.page('manager', '/admin/contacts?was=Pwned&notice=deleted')
    expect(forged('.notice').text()).toBe('Deleted.')
    expect((await house.ask('manager', path)).status).toBe(404)
  })

  it('say that there are none after the last one was deleted, however the list is sorted', async () => {
    const json = { url: 'https://93.184.216.34/hook', events: [], active: false }
    const { id } = await house.json('manager', '/api/admin/webhooks', { json })
    const deleted = (await house.submit('manager', `/admin/webhooks/${id}/delete`, {})).headers.get(
      'location',
    )!
    for (const [path, says] of [
      [deleted, 'No webhooks yet.'],
      ['/admin/webhooks?sort=url', 'No webhooks yet.'],
      ['/admin/webhooks?q=nothing+like+it', 'No results.'],
    ] as const) {
      const page = await house.page('manager', path)
      expect([path, page('main').text().includes(says)]).toEqual([path, true])
    }
  })

  it('come back with what was typed and the problem at its field', async () => {
    const answer = await house.submit('manager', '/admin/contacts', {
      ...contact,
      name: '',
      notes: 'typed <b>',
    })
    expect(answer.status).toBe(422)
    const page = (await import('cheerio')).load(await answer.text())
    expect(page('title').text()).toMatch(/^Error:/)
    expect(page('.errors a[href="#name"]').text()).toBe('Enter a name')
    expect(page('#notes').text().trim()).toBe('typed <b>')
    expect(page('#name').attr('aria-invalid')).toBe('true')
  })

  it('that were made from an older state show what it says now, and store on the second try', async () => {
    const { id } = await addContact()
    const path = `/admin/contacts/${id}`
    const version = (await house.page('manager', path))('input[name=version]').attr('value')!
    await house.json('board', `/api${path}`, { method: 'PATCH', json: { phone: '999' } })
    const refused = await house.submit('manager', path, { ...contact, phone: '111', version })
    expect(refused.status).toBe(409)
    const page = (await import('cheerio')).load(await refused.text())
    expect(page('#phone').attr('value')).toBe('111')
    expect(page('#phone-now').text()).toContain('999')
    expect((await house.json('manager', `/api${path}`)).phone).toBe('999')
    const now = page('input[name=version]').attr('value')!
    const again = await house.submit('manager', path, { ...contact, phone: '111', version: now })
    expect(again.status).toBe(303)
    expect((await house.json('manager', `/api${path}`)).phone).toBe('111')
  })

  it('of something deleted meanwhile keep what was typed and offer to add it anew', async () => {
    const { id } = await addContact()
    await house.ask('manager', `/api/admin/contacts/${id}`, { method: 'DELETE' })
    const answer = await house.submit('manager', `/admin/contacts/${id}`, {
      ...contact,
      notes: 'long typed',
      version: 'x',
    })
    expect(answer.status).toBe(409)
    const page = (await import('cheerio')).load(await answer.text())
    expect(page('main form').attr('action')).toBe('/admin/contacts')
    expect(page('#notes').text().trim()).toBe('long typed')
  })
})

describe('the order of contacts', () => {
  const order = async () =>
    (await house.json('manager', '/api/contacts')).map(({ id }: { id: number }) => id) as number[]

  it('is changed by moving one up and down', async () => {
    const [first, second, ...rest] = await order()
    await house.json('manager', `/api/admin/contacts/${second}/move`, { json: { direction: 'up' } })
    expect(await order()).toEqual([second, first, ...rest])
    await house.submit('manager', `/admin/contacts/${second}/move`, { direction: 'down' })
    expect(await order()).toEqual([first, second, ...rest])
  })

  it('stays at its ends, and stays an order when everyone moves at once', async () => {
    const before = await order()
    await house.json('manager', `/api/admin/contacts/${before[0]}/move`, { json: { direction: 'up' } })
    expect(await order()).toEqual(before)
    await Promise.all(
      before.map((id, i) =>
        house.json('manager', `/api/admin/contacts/${id}/move`, {
          json: { direction: i % 2 ? 'up' : 'down' },
        }),
      ),
    )
    expect((await order()).toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b))
    const places = await query<{ n: number }>('select count(distinct sort_order) as n from contacts')
    expect(places[0]!.n).toBe(before.length)
  })
})

/** The office adds a contact; returns it as JSON. */
function addContact(json: object = contact) {
  return house.json('manager', '/api/admin/contacts', { json })
}

/** What was done to the contact, the first first. */
function entriesOf(id: number) {
  return query<{ action: string; actor: string; changes: Record<string, unknown> }>(
    `select action, actor_name as actor, changes from audit_entries where entity = 'contact' and entity_id = $1
     order by id`,
    [id],
  )
}
