import { beforeAll, describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const numberOf = '[href="tel:08005550199"]'
let contactId: number
const assetId = 1

beforeAll(async () => {
  contactId = (await house.json('admin', '/api/admin/contacts', { json: contact })).id
})

describe('the emergency number', () => {
  it('stands with when it answers and what for, wherever it is shown to someone who may need it', async () => {
    const paths = ['/', '/incidents', `/assets/${assetId}`, '/report', `/report?assetId=${assetId}`]
    for (const who of ['guest', 'resident'] as const)
      for (const path of paths) {
        const page = await house.page(who, path)
        expect(page(`.foot ${numberOf}`).text(), `${who} ${path}`).toBe(contact.phone)
        expect(page('.foot').text(), `${who} ${path}`).toContain(contact.label)
        if (paths.indexOf(path) < 2) continue
        expect(page(`.warning ${numberOf}`).text(), `${who} ${path}`).toBe(contact.phone)
        for (const words of [contact.label, contact.notes])
          expect(page('.warning').text(), `${who} ${path}`).toContain(words)
      }
  })

  it('is on every sticker in every language, and on the lobby screen', async () => {
    const page = await house.page('manager', '/admin/assets/posters')
    const stickers = page('.sticker').toArray()
    expect(stickers.length).toBeGreaterThan(1)
    for (const sticker of stickers) {
      const line = page(sticker).find('.emergency')
      expect(line.find('strong').text()).toBe(contact.phone)
      expect(line.find('[lang=en]').text()).toContain(`Call ${contact.name}`)
      expect(line.find('[lang=es]').text()).toContain(`Llame a ${contact.name}`)
    }
    expect((await house.page('guest', '/display'))('footer strong').text()).toBe(contact.phone)
  })

  it('has no empty words around it when it says no more', async () => {
    await house.json('admin', `/api/admin/contacts/${contactId}`, {
      method: 'PATCH',
      json: { label: '', notes: '' },
    })
    const page = await house.page('guest', '/report')
    expect(page('.warning').text().trim()).toMatch(/0800 555 0199$/)
    expect(page('.warning bdi, .warning br').length).toBe(0)
  })
})

const contact = {
  name: 'Night watch',
  label: 'Every day, 17:00 to 8:00',
  phone: '0800 555 0199',
  notes: 'Fire or injury: call 999 first.',
  sortOrder: -1,
  isEmergency: true,
}
