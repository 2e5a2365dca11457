import { load } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { dateIn } from '../../../src/vocabulary/time/calendar.js'
import { useHouse } from '../../support/house/house.js'
import { moveToNoon } from '../../support/run/noon.js'

const house = useHouse()
const { maya, office } = house
let zone: string
let incident: number
let costs: string
beforeAll(async () => {
  zone = await moveToNoon()
  incident = await maya.reports(7, { title: 'Lift door does not close', severity: 'high' })
  costs = `/api/incidents/${incident}/costs`
})

describe('a repair cost', () => {
  it('is entered, listed and voided', async () => {
    const who = 'board'
    const answer = await house.ask(who, costs, { json: { ...invoice, id: 9, createdBy: 1 } })
    expect(answer.status).toBe(201)
    const cost = await answer.json()
    expect(cost).toMatchObject({ ...invoice, incidentId: incident, voidedAt: null, voidedByName: null })
    expect(Object.keys(cost).sort()).toEqual(
      [
        ...Object.keys(invoice),
        'id',
        'incidentId',
        'createdBy',
        'createdByName',
        'createdAt',
        'voidedAt',
        'voidedByName',
      ].sort(),
    )
    expect((await house.json(who, costs))[0]).toEqual(cost)
    expect((await entries())[0]).toMatchObject({
      action: 'incident.cost_added',
      changes: { costId: { before: null, after: cost.id }, amountCents: { before: null, after: 125_050 } },
      affects: false,
    })
    const gone = await house.ask(who, `${costs}/${cost.id}`, { method: 'DELETE' })
    expect([gone.status, await gone.text()]).toEqual([204, ''])
    const [voided] = await house.json(who, costs)
    expect(voided).toMatchObject({ id: cost.id, ...invoice })
    expect(Date.parse(voided.voidedAt)).toBeGreaterThan(0)
    expect((await entries())[0]).toMatchObject({
      action: 'incident.cost_voided',
      changes: { costId: { before: cost.id, after: null } },
    })
    const restore = () => house.ask(who, `${costs}/${cost.id}/restore`, { json: {} })
    expect(await (await restore()).json()).toMatchObject({ ...invoice, voidedAt: null })
    expect((await restore()).status).toBe(200)
    expect(await entries()).toEqual(
      expect.arrayContaining([expect.objectContaining({ action: 'incident.cost_restored' })]),
    )
    await office.voidsCost(incident, cost.id, { at: new Date(Date.now() - 11 * 60_000) })
    expect(await (await restore()).json()).toMatchObject({ code: 'undo_too_late' })
  })

  it('is nowhere in what others read of the incident and its asset', async () => {
    await addInvoice({ vendor: 'Secret Vendor' })
    for (const who of ['guest', 'resident', 'mobile'] as const) {
      for (const path of [`/incidents/${incident}`, '/assets/7']) {
        const page = await (await house.ask(who, path, { headers: { accept: 'text/html' } })).text()
        expect(page).not.toContain('Secret Vendor')
        expect(page).not.toContain('Repair costs')
        const json = await (await house.ask(who, `/api${path}`)).text()
        expect(json).not.toMatch(/Secret Vendor|cost/i)
      }
    }
  })

  it('needs no more than an amount, and is of today in the building', async () => {
    const cost = await house.json('manager', costs, { json: { amountCents: 1 } })
    expect(cost).toMatchObject({ amountCents: 1, vendor: '', invoiceRef: '', note: '', incurredOn: today() })
  })

  it.each([
    [{ amountCents: undefined }, 'amountCents', 'Enter an amount'],
    [{ amountCents: 0 }, 'amountCents', 'The amount must be more than zero'],
    [{ amountCents: -1 }, 'amountCents', 'The amount must be more than zero'],
    [{ amountCents: 1.5 }, 'amountCents', 'Enter the amount as a whole number of cents'],
    [{ amountCents: '100' }, 'amountCents', 'Enter the amount as a whole number of cents'],
    [{ amountCents: 2_000_000_001 }, 'amountCents', 'The amount must be 20 million or less'],
    [{ vendor: 'x'.repeat(201) }, 'vendor', 'The name must be 200 characters or fewer'],
    [{ invoiceRef: 'x'.repeat(201) }, 'invoiceRef', 'The invoice number must be 200 characters or fewer'],
    [{ note: 'x'.repeat(2_001) }, 'note', 'The note must be 2,000 characters or fewer'],
    [{ incurredOn: '2026-02-30' }, 'incurredOn', 'Enter a date'],
    [{ incurredOn: 'yesterday' }, 'incurredOn', 'Enter a date'],
    [{ incurredOn: '2099-01-01' }, 'incurredOn', 'The date can’t be in the future'],
  ])('with %j is refused at its field', async (wrong, field, text) => {
    const answer = await house.ask('manager', costs, { json: { ...invoice, ...wrong } })
    expect([answer.status, (await answer.json()).errors]).toEqual([422, { [field]: [text] }])
  })

  it('sent twice with the same key is one', async () => {
    const headers = { 'idempotency-key': 'invoice-77' }
    const first = await house.json('manager', costs, { json: invoice, headers })
    expect(await house.json('manager', costs, { json: invoice, headers })).toEqual(first)
  })

  it('counts in the year of its asset until it is void, and voiding twice is one act', async () => {
    const year = async () => (await house.json('manager', '/api/assets/7')).cost365Cents as number
    const before = await year()
    const { id } = await addInvoice({ incurredOn: today() })
    expect(await year()).toBe(before + 125_050)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => house.ask('manager', `${costs}/${id}`, { method: 'DELETE' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect(await year()).toBe(before)
    const acts = (await entries()).filter(
      ({ action, changes }) =>
        action === 'incident.cost_voided' && (changes.costId as { before: number }).before === id,
    )
    expect(acts).toHaveLength(1)
  })

  it('of another incident, or that is not there, is not voided', async () => {
    const { id } = await addInvoice()
    const other = await house.json('resident', '/api/incidents', {
      json: { assetId: 7, title: 'Other', severity: 'low' },
    })
    for (const path of [`/api/incidents/${other.id}/costs/${id}`, `${costs}/x`]) {
      expect((await house.ask('manager', path, { method: 'DELETE' })).status, path).toBe(404)
    }
    expect((await house.ask('manager', '/api/incidents/999999/costs', { json: {} })).status).toBe(404)
  })

  it('of a merged duplicate is refused with the pointer, and its older costs move to the survivor', async () => {
    const duplicate = await house.json('resident', '/api/incidents', {
      json: { assetId: 7, title: 'Door again', severity: 'high' },
    })
    const path = `/api/incidents/${duplicate.id}`
    const cost = await house.json('manager', `${path}/costs`, {
      json: { ...invoice, vendor: 'Of the duplicate' },
    })
    await office.merges(duplicate.id, incident)
    for (const [address, asked] of [
      [`${path}/costs`, { json: invoice }],
      [`${path}/costs`, { json: {} }],
      [`${path}/costs/${cost.id}`, { method: 'DELETE' }],
    ] as const) {
      const refused = await house.ask('manager', address, asked)
      expect(refused.status).toBe(409)
      expect(await refused.json()).toMatchObject({
        code: 'incident_merged',
        mergedInto: incident,
        redirectTo: `/api/incidents/${incident}`,
      })
    }
    const page = await submitAsOffice(`/incidents/${duplicate.id}/costs`, typed)
    expect(page.status).toBe(409)
    expect(load(await page.text())(`a[href="/incidents/${incident}"]`).length).toBe(1)
    const [moved] = await house.json('manager', costs)
    expect(moved).toMatchObject({ id: cost.id, incidentId: duplicate.id })
    const shown = await house.page('manager', `/incidents/${incident}`)
    expect(shown('.records tbody tr').first().text()).toContain(`Entered on INC-${duplicate.id}`)
    expect((await house.ask('manager', `${costs}/${cost.id}`, { method: 'DELETE' })).status).toBe(204)
  })
})

describe('the form of repair costs', () => {
  const path = () => `/incidents/${incident}`

  it('takes money as people write it, shows the sum, and voids with a button', async () => {
    for (const { id } of await house.json<{ id: number }[]>('manager', costs))
      await office.voidsCost(incident, id)
    expect((await submitAsOffice(`${path()}/costs`, typed)).headers.get('location')).toBe(
      `${path()}?notice=costAdded`,
    )
    await submitAsOffice(`${path()}/costs`, { ...typed, amount: '£ 1.000,50', vendor: 'Locksmith' })
    const page = await house.page('manager', path())
    expect(page('.records tfoot').text().trim()).toBe('Total: £2,251.00')
    const rows = page('.records tbody tr')
    expect(rows.eq(0).find('th').text().trim()).toBe('£1,000.50')
    expect(rows.last().find('del').length).toBe(1)
    const button = rows.eq(0).find('form')
    expect(button.find('button').attr('aria-label')).toBe('Remove the cost of £1,000.50 from the total')
    const voided = await submitAsOffice(button.attr('action')!, {})
    const address = voided.headers.get('location')!
    expect(address).toMatch(/\?of=\d+&notice=costVoided$/)
    const again = await house.page('manager', address)
    expect(again('.notice').text()).toContain('Cost removed from the total.')
    const undo = button.attr('action')!.replace('void', 'restore')
    expect(again('.notice form').attr('action')).toBe(undo)
    expect(again('.records tfoot').text().trim()).toBe('Total: £1,250.50')
    expect(again('.records tbody tr').eq(0).find('del').text()).toBe('£1,000.50')
    expect(again('.records tbody tr').eq(0).text()).toContain('Removed by')
  })

  it.each([
    ['1.250', 'Enter the amount with two decimals, like 1250.00'],
    ['lots', 'Enter an amount, like 1250 or 1250.50'],
    ['', 'Enter an amount'],
    ['0', 'The amount must be more than zero'],
  ])('comes back with %j and what is wrong with it', async (amount, text) => {
    const answer = await submitAsOffice(`${path()}/costs`, { ...typed, amount, costNote: 'kept' })
    expect(answer.status).toBe(422)
    const page = load(await answer.text())
    expect(page('.errors a[href="#cost-amount"]').text()).toBe(text)
    expect(page('#cost-amount').attr('value')).toBe(amount)
    expect(page('#cost-costNote').text().trim()).toBe('kept')
    expect(page('details:has(#cost-amount)').attr('open')).toBeDefined()
    expect(page('details:has(#edit-severity)').attr('open')).toBeUndefined()
  })

  it('begins with today, and says so when the day is to come', async () => {
    const page = await house.page('manager', path())
    expect(page('#cost-incurredOn').attr('value')).toBe(today())
    const answer = await submitAsOffice(`${path()}/costs`, { ...typed, incurredOn: '2099-01-01' })
    expect(load(await answer.text())('#cost-incurredOn-error').text()).toContain('can’t be in the future')
  })

  it('sent twice by a double tap is one cost', async () => {
    const count = async () => (await house.json('manager', costs)).length
    const before = await count()
    const formKey = '3b9f5c1e-double-tap'
    await Promise.all(
      [1, 2].map(() => submitAsOffice(`${path()}/costs`, { ...typed, vendor: 'Double tap', formKey })),
    )
    expect(await count()).toBe(before + 1)
  })
})

const invoice = {
  amountCents: 125_050,
  vendor: 'Lift Works Ltd',
  invoiceRef: 'LW-77',
  note: 'New door belt',
  incurredOn: '2026-03-31',
}

/** What is typed into the form. */
const typed = { amount: '1,250.50', vendor: 'Lift Works Ltd', invoiceRef: '', costNote: '', incurredOn: '' }

function submitAsOffice(path: string, form: Record<string, string>): Promise<Response> {
  return office.submit(path, form)
}

function addInvoice(fields: object = {}) {
  return office.json(costs, { json: { ...invoice, ...fields } })
}

function today(): string {
  return dateIn(zone, Date.now())
}

function entries() {
  return query<{ action: string; changes: Record<string, unknown>; affects: boolean }>(
    `select action, changes, affects_status as affects from audit_entries
     where entity = 'incident' and entity_id = $1 and action like 'incident.cost%' order by id desc`,
    [incident],
  )
}
