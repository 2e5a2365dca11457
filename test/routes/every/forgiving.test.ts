import { request } from 'node:http'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { query } from '../../../src/database.js'
import { ValidationFailed } from '../../../src/domain/system/validation.js'
import { routes } from '../../../src/routes/index.js'
import type { Context } from '../../../src/web/context.js'
import { type Body, bodyReader, type Fields, isFields } from '../../../src/web/route/fields.js'
import type { Route } from '../../../src/web/route/route.js'
import { useApp } from '../../support/app.js'
import { picture } from '../../support/pictures.js'
import { rounds, sampled } from '../../support/suite/extent.js'
import { drawing } from '../../support/suite/random.js'

const app = useApp()
/** The audit log gets its entry of the sign-in before it is counted. */
beforeAll(() => app.signIn('admin@example.com').then(() => app.json('admin', '/api/account')))

/** As a page sends what it sends, asking for JSON. */
const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' }
const place = { zone: 'Europe/London', currency: 'EUR', locale: 'en' }
const schemaOf = (fields: Fields) => (typeof fields === 'function' ? fields(place) : fields)

/** The fields a body has as JSON; none where nothing is read. */
function jsonOf(body: Body | null): z.ZodObject | null {
  if (body === null) return null
  if (isFields(body)) return schemaOf(body)
  if (body.kind === 'part') return schemaOf(body.fields)
  return body.kind === 'jsonOrForm' ? schemaOf(body.json) : null
}
const namesIn = ({ body }: Route) => Object.keys(jsonOf(body)?.shape ?? {})
const isPart = ({ body }: Route) => body !== null && 'kind' in body && body.kind === 'part'

type Outcome = { read: Record<string, unknown> } | { errors: Record<string, string[]> }

/** What a route makes of a JSON body, before it acts. */
async function outcomeOf({ body }: Route, given: object): Promise<Outcome> {
  const property = { timezone: place.zone, currency: place.currency }
  const state = { locale: place.locale, building: async () => ({ property }) }
  const ctx = { request: { body: given }, is: () => false, state } as unknown as Context
  try {
    return { read: ((await bodyReader(body!)(ctx)) ?? {}) as Record<string, unknown> }
  } catch (error) {
    if (error instanceof ValidationFailed) return { errors: error.fields }
    throw error
  }
}

const writes = routes.filter((each) => namesIn(each).length > 0)
const fieldsOf = (some: Route[]) =>
  some.flatMap((each) => namesIn(each).map((field) => [each.name, field, each] as const))

describe('null', () => {
  it.each(sampled(fieldsOf(writes.filter((each) => !isPart(each))), 3))(
    'is "not given" to %s as %s',
    async (_name, field, each) => {
      const [without, withNull] = [await outcomeOf(each, {}), await outcomeOf(each, { [field]: null })]
      if ('errors' in without) expect(withNull).toEqual(without)
      else
        expect((withNull as { read: typeof without.read }).read[field] ?? null).toEqual(
          without.read[field] ?? null,
        )
    },
  )

  it.each(sampled(fieldsOf(writes.filter(isPart)), 3))(
    'empties, in %s, what may be empty: %s',
    async (_name, field, each) => {
      const outcome = await outcomeOf(each, { [field]: null })
      if ('errors' in outcome) return expect(Object.keys(outcome.errors)).toEqual([field])
      // A password cannot be read back, and empty it stays as it is, as in the form.
      expect(Object.keys(outcome.read)).toEqual([field])
      expect([null, '', [], ...(field === 'password' ? [undefined] : [])]).toContainEqual(outcome.read[field])
    },
  )

  it.each(writes.filter(({ method }) => method === 'patch').map((each) => [each.name, each] as const))(
    'is never passed over by %s: it takes any of its fields, or asks for all of them',
    async (_name, each) => {
      const { shape } = jsonOf(each.body)!
      const optional = Object.values(shape).filter(
        (field) => (field as z.ZodType).safeParse(undefined).success,
      )
      expect(isPart(each) || optional.length === 0).toBe(true)
    },
  )

  it('stores what leaving out stores, and empties what is stored', async () => {
    const report = { assetId: 2, title: 'Dark', severity: 'low' }
    const made = await app.json('resident', '/api/incidents', {
      json: { ...report, unitId: null, description: null, isAnonymous: null },
    })
    const path = `/api/incidents/${made.id}`
    expect(await app.json('guest', path)).toMatchObject({ description: '', unitId: null })
    await app.json('resident', `${path}/updates`, { json: { body: 'x', newStatus: null } })
    await app.json('manager', `${path}/updates`, { json: { body: 'x', newStatus: 'resolved' } })
    await app.json('resident', `${path}/verify`, { json: { fixed: true, body: null } })
    const cost = { amountCents: 1, vendor: null, invoiceRef: null, note: null, incurredOn: null }
    await app.json('manager', `${path}/costs`, { json: cost })

    const contact = await app.json('manager', '/api/admin/contacts', {
      json: {
        name: 'Plumber',
        label: null,
        phone: '1',
        notes: 'Rings twice',
        sortOrder: null,
        isEmergency: null,
      },
    })
    expect(contact).toMatchObject({ label: '', phone: '1', sortOrder: 0, isEmergency: false })
    const emptied = { method: 'PATCH', json: { phone: null, notes: null } }
    expect(await app.json('manager', `/api/admin/contacts/${contact.id}`, emptied)).toMatchObject({
      name: 'Plumber',
      phone: '',
      notes: '',
    })
    const nameless = { method: 'PATCH', json: { name: null } }
    const refused = await app.ask('manager', `/api/admin/contacts/${contact.id}`, nameless)
    expect([refused.status, (await refused.json()).errors]).toEqual([422, { name: ['Enter a name'] }])
  })
})

describe('the place of an incident', () => {
  let mails = 0
  const incident = async () =>
    (await app.json('resident', '/api/incidents', { json: { assetId: 2, title: 'Dark', severity: 'low' } }))
      .id
  const mail = async () =>
    (
      await app.json('inbound', '/api/inbound-email', {
        json: { from: 'a@b.example', subject: `Smell ${++mails}`, text: 'x' },
      })
    ).incidentId
  const patch = (id: number, json: object) =>
    app.ask('manager', `/api/incidents/${id}`, { method: 'PATCH', json })
  const placeOf = async (id: number) => {
    const { assetId, unitId } = await app.json('guest', `/api/incidents/${id}`)
    return { assetId, unitId }
  }

  it.each([[{ assetId: null }], [{ assetId: null, unitId: null }]])(
    'is not taken away by %j, of a report or an assigned mail',
    async (given) => {
      const assigned = await mail()
      await app.json('manager', `/api/incidents/${assigned}`, { method: 'PATCH', json: { assetId: 2 } })
      for (const id of [await incident(), assigned]) {
        const refused = await patch(id, given)
        expect([refused.status, (await refused.json()).errors.assetId[0]]).toEqual([
          422,
          expect.stringMatching(/^A place can be changed, not taken away/),
        ])
        expect(await placeOf(id)).toEqual({ assetId: 2, unitId: null })
      }
    },
  )

  it('is changed by naming the other one, with the first as null or not at all', async () => {
    const id = await incident()
    for (const [given, expected] of [
      [{ unitId: 1 }, { assetId: null, unitId: 1 }],
      [
        { assetId: 3, unitId: null },
        { assetId: 3, unitId: null },
      ],
      [
        { unitId: 2, assetId: null },
        { assetId: null, unitId: 2 },
      ],
    ]) {
      expect((await patch(id, given!)).status).toBe(200)
      expect(await placeOf(id)).toEqual(expected)
    }
  })

  it('may still be missing where mail never had one', async () => {
    const id = await mail()
    for (const given of [{ title: 'Smell in the hall' }, { assetId: null, unitId: null, severity: 'low' }])
      expect((await patch(id, given)).status).toBe(200)
    expect(await placeOf(id)).toEqual({ assetId: null, unitId: null })
  })
})

const operations = new Map<string, Route>(
  routes.flatMap((each) => each.paths.map((path) => [`${each.method.toUpperCase()} ${path}`, each] as const)),
)
const changes = routes.filter(({ method, paths }) => method === 'patch' && paths[0]!.startsWith('/api/'))
const audited = async () =>
  (await query<{ n: number }>('select count(*)::integer as n from audit_entries'))[0]!.n

describe('a field of another operation', () => {
  it.each(changes.map((each) => [each.name, each] as const))(
    'is known to %s, if it is one of what is done below its address',
    (_name, each) => {
      const acts = routes.filter(
        ({ method, paths }) =>
          method === 'post' && paths.some((path) => path.startsWith(`${each.paths[0]}/`)),
      )
      const theirs = acts.flatMap(namesIn).filter((field) => !namesIn(each).includes(field))
      const lacking = [...new Set(theirs)].filter((field) => !Object.hasOwn(each.elsewhere, field))
      expect(lacking, 'name these in `elsewhere`').toEqual([])
    },
  )

  const known = routes.flatMap((each) =>
    Object.entries(each.elsewhere).map(([field, operation]) => [each.name, field, operation, each] as const),
  )
  it.each(known)('of %s, %s, is one of %s', (_name, field, operation, each) => {
    const [, address, named] = /^([A-Z]+ \/api\/\S+)(?: \(([\w[\]]+)\))?$/.exec(operation)!
    const target = operations.get(address!)
    expect(target, address).toBeDefined()
    if (named) expect(named === 'photos[]' ? target!.photos : namesIn(target!).includes(named)).toBe(true)
    expect(namesIn(each)).not.toContain(field)
  })

  it.each(known)('is refused by %s: %s is for %s', async (_name, field, operation, each) => {
    const { id } = await app.json('resident', '/api/incidents', {
      json: { assetId: 2, title: 'Dark', severity: 'low' },
    })
    const address = each.paths.at(-1)!.replace('/incidents/:id', `/incidents/${id}`).replace(':id', '1')
    const send = (value: unknown) =>
      app.ask('admin', address, { method: each.method.toUpperCase(), json: { [field]: value }, headers })
    const before = await audited()
    for (const value of ['x', 1, true, false, ['x'], { x: 1 }]) {
      const refused = await send(value)
      expect(refused.status).toBe(422)
      expect((await refused.json()).errors[field]).toEqual([
        `This is not taken here. Send it to ${operation}`,
      ])
    }
    expect(await audited()).toBe(before)
    for (const value of [null, '', []]) {
      const { errors = {} } = await (await send(value)).json()
      expect(errors, 'what is empty means nothing').not.toHaveProperty([field])
    }
  })

  it('that nobody knows is ignored', async () => {
    const { id } = await app.json('resident', '/api/incidents', {
      json: { assetId: 2, title: 'Dark', severity: 'low', status: 'verified', colour: 'red', photos: [] },
    })
    const json = { title: 'Darker', colour: 'red', createdAt: '2020-01-01T00:00:00Z' }
    expect(await app.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json })).toMatchObject({
      status: 'open',
      title: 'Darker',
    })
  })
})

describe('a file', () => {
  let photo: Blob
  let incidentId: number
  beforeAll(async () => {
    photo = new File([new Uint8Array(await picture())], 'p.jpg', { type: 'image/jpeg' })
    const json = { assetId: 2, title: 'Dark', severity: 'low' }
    incidentId = (await app.json('resident', '/api/incidents', { json })).id
  })
  const valid = {
    assetId: '2',
    title: 'Dark',
    severity: 'low',
    body: 'x',
    csv: 'name\nPlumber',
    kind: 'contacts',
  }
  const addressOf = (path: string) => path.replace(':id', String(incidentId)).replace(':kind', 'contacts')
  const taking = routes
    .filter(({ photos, sheet }) => photos || sheet)
    .flatMap((each) => each.paths.map((path) => [path, each.photos ? 'photos[]' : 'file'] as const))

  it('is taken by a report, an update, a suggestion and an import', () => {
    expect(taking.length).toBeGreaterThan(6)
  })

  it.each(taking)('under another name is refused by %s, which takes %s', async (path, name) => {
    const before = await audited()
    for (const other of [
      'picture',
      'photo',
      'photos[0]',
      'files[]',
      name === 'file' ? 'photos[]' : 'file',
      '',
    ]) {
      const form = new FormData()
      for (const [field, value] of Object.entries(valid)) form.append(field, value)
      form.append(other, photo)
      if (name === 'photos[]') form.append('photos[]', photo)
      const refused = await app.ask('admin', addressOf(path), { body: form, headers })
      expect([other, refused.status, (await refused.json()).errors]).toEqual([
        other,
        422,
        {
          [name.replace('[]', '')]: [`Send files as parts of multipart/form-data that are called ${name}`],
        },
      ])
    }
    expect(await audited()).toBe(before)
  })

  it.each(taking.filter(([, name]) => name === 'photos[]'))('as text is refused by %s', async (path) => {
    const before = await audited()
    for (const field of ['photos', 'photos[]'])
      for (const value of ['data:image/jpeg;base64,xx', ['a'], [{ contentBase64: 'xx' }], { a: 1 }]) {
        const json = { ...valid, assetId: 2, [field]: value }
        const refused = await app.ask('admin', addressOf(path), { json, headers })
        expect([refused.status, Object.keys((await refused.json()).errors)]).toEqual([422, ['photos']])
      }
    expect(await audited()).toBe(before)
  })

  it('that was not chosen is none, whatever its name', async () => {
    const form = new FormData()
    for (const [field, value] of Object.entries(valid)) form.append(field, value)
    form.append('document', new File([], '', { type: 'application/octet-stream' }))
    expect((await app.ask('resident', '/api/incidents', { body: form })).status).toBe(201)
  })
})

describe('the address of a photo', () => {
  let path: string
  beforeAll(async () => {
    const form = new FormData()
    for (const [field, value] of Object.entries({ assetId: '2', title: 'Dark', severity: 'low' }))
      form.append(field, value)
    form.append('photos[]', new File([new Uint8Array(await picture())], 'p.jpg', { type: 'image/jpeg' }))
    const made = await app.json('resident', '/api/incidents', { body: form })
    path = made.photos[0].path
  })

  /** Asks for exactly this address: `fetch` would resolve dots first. */
  const raw = (address: string) =>
    new Promise<{ status: number; bytes: Buffer }>((resolve, reject) => {
      const { hostname, port } = new URL(app.origin())
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
        { numRuns: rounds(40), seed: drawing().seed },
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
      { numRuns: rounds(300), seed: drawing().seed },
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
