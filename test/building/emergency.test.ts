import { beforeAll, describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { office, admin, guest } = house
const contacts = '/api/admin/contacts'
const allDay = '00:00-24:00'
const assetId = 1
let contactId: number

beforeAll(async () => {
  for (const { id } of await house.list('admin', contacts)) await changeContact(id, { isEmergency: false })
  contactId = (await admin.json(contacts, { json: nightWatch })).id
})

describe('whom to call in danger', () => {
  it('stands once on every page, with when to call and the number for fire and injury', async () => {
    const withLineAbove = [`/assets/${assetId}`, '/report', `/report?assetId=${assetId}`]
    for (const who of ['guest', 'resident'] as const)
      for (const path of ['/', '/incidents', '/sign-in?again=1', ...withLineAbove]) {
        const page = await house.page(who, path)
        const line = page(withLineAbove.includes(path) ? '.emergency > p' : '.foot .danger')
        expect(line.text().replace(/\s+/g, ' ').trim(), `${who} ${path}`).toBe(
          'Someone trapped or in danger? Call 0800 555 0199 (Night watch, every day 17:00–08:00). Fire or injury: call 999.',
        )
        expect(page('[href="tel:08005550199"]').length, `${who} ${path}`).toBe(1)
        expect(page('[href="tel:999"]').length, `${who} ${path}`).toBe(1)
      }
  })

  it('says in its own words when to call, where someone may be about to', async () => {
    const page = await guest.page('/report')
    expect(page('.emergency summary').text()).toBe('When to call')
    expect(page('.emergency details p').text()).toBe(nightWatch.notes)
  })

  it('is on every sticker in every language, and on the lobby screen', async () => {
    const page = await office.page('/admin/assets/posters')
    const stickers = page('.sticker').toArray()
    expect(stickers.length).toBeGreaterThan(1)
    for (const sticker of stickers) {
      const numbers = page(sticker).find('.emergency[lang=en] strong').toArray()
      expect(numbers.map((each) => page(each).text())).toEqual([nightWatch.phone, '999'])
      const spanish = page(sticker).find('.emergency[lang=es]').text().replace(/\s+/g, ' ')
      expect(spanish).toContain(`Llame al ${nightWatch.phone}. Incendio o heridos: llame al 999.`)
    }
    expect((await guest.page('/display'))('.danger').text()).toContain(nightWatch.phone)
  })

  it('has no empty words around it when it says no more', async () => {
    await changeContact(contactId, {
      label: '',
      notes: '',
      hoursWeekdays: '',
      hoursSaturday: '',
      hoursSunday: '',
    })
    const page = await guest.page('/report')
    expect(page('.emergency').text().replace(/\s+/g, ' ').trim()).toBe(
      'Someone trapped or in danger? Call 0800 555 0199 (Night watch). Fire or injury: call 999.',
    )
    expect(page('.emergency details').length).toBe(0)
  })

  it('is the one who can be reached now, else the first whose hours no one knows', async () => {
    const [now, never] = await Promise.all([
      admin.json(contacts, { json: { ...emergency('Day desk', '1'), ...everyDay(allDay) } }),
      admin.json(contacts, { json: { ...emergency('Closed desk', '2'), sortOrder: -9, ...closedToday() } }),
    ])
    expect(await named()).toBe('Day desk')
    await changeContact(now.id, { isEmergency: false })
    expect(await named()).toBe('Night watch')
    await changeContact(contactId, { isEmergency: false })
    expect(await named()).toBe('Closed desk')
    await changeContact(never.id, { isEmergency: false })
    const line = (await guest.page('/'))('.foot .danger').text()
    expect(line.replace(/\s+/g, ' ').trim()).toBe('Fire or injury: call 999.')
  })
})

describe('the number for fire and injury', () => {
  it('is the one of the building, else the usual one where its clock is', async () => {
    await house.changeProperty({ emergencyNumber: '117' })
    expect(await publicNumber()).toBe('117')
    await house.changeProperty({ emergencyNumber: '', timezone: 'America/Chicago' })
    expect(await publicNumber()).toBe('911')
    await house.changeProperty({ timezone: 'Europe/Madrid' })
    expect(await publicNumber()).toBe('112')
  })

  it.each(['1', '1234567', '+44 999', 'nine'])('is not %s', async (emergencyNumber) => {
    const answer = await admin.ask('/api/admin/property', { method: 'PATCH', json: { emergencyNumber } })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toHaveProperty('errors.emergencyNumber')
  })

  const publicNumber = async () => (await guest.page('/'))('.foot .danger a').last().text()
})

describe('the hours of a contact', () => {
  it('are typed as people write them, and stored, logged and shown in one form', async () => {
    const json = {
      name: 'Caretaker',
      hoursWeekdays: '8 – 12, 13:30 to 17',
      hoursSaturday: '9-12',
      hoursSunday: '',
    }
    const { id, ...made } = await admin.json(contacts, { json })
    expect(made).toMatchObject({ hoursWeekdays: '08:00-12:00, 13:30-17:00', hoursSaturday: '09:00-12:00' })
    const directory = await house.json('resident', '/api/contacts')
    expect(directory.find((each: { id: number }) => each.id === id)).toMatchObject({
      hoursWeekdays: '08:00-12:00, 13:30-17:00',
      hoursSunday: '',
    })
    const page = await house.page('resident', '/contacts')
    expect(page('li:contains("Caretaker")').text()).toMatch(
      /Mon–Fri 08:00–12:00, 13:30–17:00, Sat 09:00–12:00 · (open|closed) now/,
    )
    const answer = await admin.ask(`${contacts}/${id}`, {
      method: 'PATCH',
      json: { hoursSunday: 'sometimes' },
    })
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors.hoursSunday).toEqual(['Enter hours like 08:00–17:00, or 24h'])
  })
})

/** The name in the line of a page. */
async function named(): Promise<string> {
  return (await guest.page('/'))('.foot .danger bdi').first().text()
}

function changeContact(id: number, json: object) {
  return admin.json(`${contacts}/${id}`, { method: 'PATCH', json })
}

const everyDay = (hours: string) => ({ hoursWeekdays: hours, hoursSaturday: hours, hoursSunday: hours })

function emergency(name: string, phone: string) {
  return { name, phone, isEmergency: true }
}

/** Hours on other days than today, wherever the building is. */
function closedToday() {
  const isWeekend = [0, 5, 6].includes(new Date().getUTCDay())
  return isWeekend ? { hoursWeekdays: '', hoursSaturday: '03:00-03:01' } : { hoursSunday: allDay }
}

const nightWatch = {
  name: 'Night watch',
  label: 'For people at night',
  phone: '0800 555 0199',
  notes: 'Someone is stuck, or water comes through.',
  sortOrder: -1,
  isEmergency: true,
  ...everyDay('17:00-08:00'),
}
