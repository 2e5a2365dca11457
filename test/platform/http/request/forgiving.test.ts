import { request } from 'node:http'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../src/app/routes.js'
import { useHouse } from '../../../support/house/house.js'
import { multipart, picture } from '../../../support/pictures.js'
import { perRun } from '../../../support/run/extent.js'
import { drawing } from '../../../support/run/random.js'

const house = useHouse()

it('null stores what leaving out stores, and empties what is stored', async () => {
  const report = { assetId: 2, title: 'Dark', severity: 'low' }
  const made = await house.json('resident', '/api/incidents', {
    json: { ...report, unitId: null, description: null, isAnonymous: null },
  })
  const path = `/api/incidents/${made.id}`
  expect(await house.json('guest', path)).toMatchObject({ description: '', unitId: null })
  await house.json('resident', `${path}/updates`, { json: { body: 'x', newStatus: null } })
  const resolved = await house.report({ status: 'resolved' })
  const verdict = { fixed: true, body: null }
  await house.json('resident', `/api/incidents/${resolved}/verify`, { json: verdict })
  const cost = { amountCents: 1, vendor: null, invoiceRef: null, note: null, incurredOn: null }
  await house.json('manager', `${path}/costs`, { json: cost })

  const contact = await house.json('manager', '/api/admin/contacts', {
    json: {
      name: 'Plumber',
      label: null,
      phone: '1',
      notes: 'Rings twice',
      sortOrder: null,
      isEmergency: null,
    },
  })
  expect(contact).toMatchObject({ label: '', phone: '1', sortOrder: 9, isEmergency: false })
  const emptied = { method: 'PATCH', json: { phone: null, notes: null } }
  expect(await house.json('manager', `/api/admin/contacts/${contact.id}`, emptied)).toMatchObject({
    name: 'Plumber',
    phone: '',
    notes: '',
  })
  const nameless = { method: 'PATCH', json: { name: null } }
  const refused = await house.ask('manager', `/api/admin/contacts/${contact.id}`, nameless)
  expect([refused.status, (await refused.json()).errors]).toEqual([422, { name: ['Enter a name'] }])
})

it('a field that no operation knows is ignored', async () => {
  const { id } = await house.json('resident', '/api/incidents', {
    json: { assetId: 2, title: 'Dark', severity: 'low', status: 'verified', colour: 'red', photos: [] },
  })
  const json = { title: 'Darker', colour: 'red', createdAt: '2020-01-01T00:00:00Z' }
  expect(await house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json })).toMatchObject({
    status: 'open',
    title: 'Darker',
  })
})

describe('a file', () => {
  it('is taken by a report, an update, a suggestion and an import', () => {
    const taking = routes.filter(({ photos, sheet }) => photos || sheet).flatMap(({ paths }) => paths)
    expect(taking.length).toBeGreaterThan(6)
  })

  it('that was not chosen is none, whatever its name', async () => {
    const form = multipart({ assetId: '2', title: 'Dark', severity: 'low', kind: 'contacts' })
    form.append('document', new File([], '', { type: 'application/octet-stream' }))
    expect((await house.ask('resident', '/api/incidents', { body: form })).status).toBe(201)
  })
})

describe('the address of a photo', () => {
  let path: string
  beforeAll(async () => {
    const body = multipart({ assetId: '2', title: 'Dark', severity: 'low' }, [{ bytes: await picture() }])
    path = (await house.json('resident', '/api/incidents', { body })).photos[0].path
  })

  /** Asks for exactly this address: `fetch` would resolve dots first. */
  const raw = (address: string) =>
    new Promise<{ status: number; bytes: Buffer }>((resolve, reject) => {
      const { hostname, port } = new URL(house.origin())
      request({ hostname, port, path: address }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve({ status: answer.statusCode!, bytes: Buffer.concat(parts) }))
      })
        .on('error', reject)
        .end()
    })
  const percent = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

  it('may be encoded in any way, the thumbnail’s too', async () => {
    for (const stored of [path, `${path}.thumb.jpg`]) {
      const plain = await raw(`/api/photos/${stored}`)
      expect(plain.status).toBe(200)
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.constantFrom('as it is', 'lower', 'upper')), async (ways) => {
          const encoded = [...stored].map((character) => {
            const way = ways.next().value
            if (way === 'as it is') return character
            return way === 'lower' ? percent(character) : percent(character).toUpperCase()
          })
          expect(await raw(`/api/photos/${encoded.join('')}`)).toEqual(plain)
        }),
        { numRuns: perRun({ quick: 8, whole: 40 }), seed: drawing().seed },
      )
      expect(await raw(`/api/photos/${encodeURIComponent(stored)}`)).toEqual(plain)
    }
  })

  const steps = ['..', '.', '', '/', '\\', 'etc', 'passwd', 'keys.json', '.tmp', '\0', '%', '%2e', 'é', '～']
  it('leads to nothing but photos, however what it says is encoded', async () => {
    const written = fc.constantFrom('plain', 'once', 'twice')
    const hostile = fc.array(fc.tuple(fc.constantFrom(...steps), written), { minLength: 1, maxLength: 8 })
    const ends = fc.constantFrom('', path, `${path}.thumb.jpg`)
    await fc.assert(
      fc.asyncProperty(hostile, ends, ends, async (parts, begin, end) => {
        const middle = parts.map(([step, way]) => {
          const once = [...`/${step}`].map(percent).join('')
          if (way === 'twice') return once.replaceAll('%', '%25')
          return way === 'once' || !/^[\w./]+$/.test(step) ? once : `/${step}`
        })
        const { status } = await raw(`/api/photos/${begin}${middle.join('')}${end && `%2F${end}`}`)
        expect([400, 404]).toContain(status)
      }),
      { numRuns: perRun({ quick: 60, whole: 300 }), seed: drawing().seed },
    )
  })

  it.each([
    '%',
    '%zz',
    '%c0%ae%c0%ae%2f',
    '%ff',
    '%00',
    '..%2f..%2fkeys.json',
    '%2e%2e/%2e%2e/keys.json',
    '%252e',
  ])('that cannot be one is not found: %s', async (end) => {
    for (const begin of ['', `${path}/`, `${path.slice(0, 6)}`])
      expect([400, 404]).toContain((await raw(`/api/photos/${begin}${end}`)).status)
  })
})
