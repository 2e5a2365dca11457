import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'
import { multipart, picture } from '../support/pictures.js'
import { count } from '../support/rows.js'
import { itInWholeRun } from '../support/run/extent.js'

const house = useHouse()
const assetId = 1

async function aUnit(): Promise<{ id: number }> {
  return (await house.json('guest', '/api/units'))[0]
}

const incidentCount = () => count('incidents')

describe('GET /api/incidents', () => {
  it('takes an untouched form’s empty values as no filter', async () => {
    const all = await house.json('guest', '/api/incidents')
    expect(
      await house.json('guest', '/api/incidents?status=&severity=&assetId=&unitId=&includeMerged=&before='),
    ).toEqual(all)
  })

  it.each([
    'status=closed',
    'severity=urgent',
    'assetId=abc',
    'assetId=0',
    'unitId=1.5',
    'includeMerged=yes',
    'limit=0',
    'before=-1',
    'status=open&status=resolved',
    'includeMerged=true&includeMerged=false',
    'status=%00',
    'assetId=99999999999',
  ])('refuses ?%s', async (filter) => {
    const answer = await house.ask('guest', `/api/incidents?${filter}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ status: 400, code: 'bad_query' })
  })

  it('ignores parameters it does not know', async () => {
    expect(
      (await house.ask('guest', '/api/incidents?__proto__[role]=admin&utm_source=x&other[]=open')).status,
    ).toBe(200)
  })

  it('pages by id with a link to the next page', async () => {
    const all = await house.json('guest', '/api/incidents?limit=500')
    const seen: number[] = []
    let path: string | null = '/api/incidents?limit=7'
    while (path) {
      const answer: Response = await house.ask('guest', path)
      const page = (await answer.json()) as { id: number }[]
      expect(page.length).toBeLessThanOrEqual(7)
      seen.push(...page.map(({ id }) => id))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(seen).toEqual(all.map(({ id }: { id: number }) => id))
  })
})

describe('the incident list page', () => {
  it('shows the same incidents, with a form that keeps its filters in the address', async () => {
    const incidents = await house.json('guest', '/api/incidents?status=resolved')
    const page = await house.page('guest', '/incidents?status=resolved')
    expect(page('.incidents > li')).toHaveLength(incidents.length)
    expect(page('select[name=status] option[selected]').attr('value')).toBe('resolved')
    expect(page('form.search').attr('method')).toBe('get')
  })

  it('says what to do when nothing matches', async () => {
    const page = await house.page('guest', '/incidents?severity=critical&status=open&unitId=1')
    expect(page('.incidents > li')).toHaveLength(0)
    expect(page('main a[href="/incidents"]')).toHaveLength(1)
  })
})

describe('POST /api/incidents', () => {
  it('answers with the open incident, its title trimmed, and where it is', async () => {
    const given = { assetId, title: '  Door does not close ', description: 'Since Monday', severity: 'high' }
    const answer = await house.ask('resident', '/api/incidents', { json: given })
    const made = await answer.json()
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/incidents/${made.id}`])
    const more = { title: 'Door does not close', status: 'open', source: 'web', updates: [], photos: [] }
    expect(made).toMatchObject({ ...given, ...more, unitId: null, slaBreached: false, resolvedAt: null })
  })

  it('counts a critical asset incident as downtime, and a unit’s never', async () => {
    const onAsset = await house.json('resident', '/api/incidents', {
      json: { assetId, title: 'Stuck', severity: 'critical' },
    })
    const unit = await aUnit()
    const onUnit = await house.json('resident', '/api/incidents', {
      json: { unitId: unit.id, title: 'Flood', severity: 'critical' },
    })
    expect([onAsset.isDowntime, onUnit.isDowntime]).toEqual([true, false])
    expect(onUnit.unitName).toMatch(/ Tower · /)
  })

  it('keeps everything from a client that is not a client’s to say', async () => {
    const made = await house.json('resident', '/api/incidents', {
      json: {
        assetId,
        title: 'x',
        severity: 'low',
        status: 'verified',
        source: 'email',
        slaBreached: true,
        id: 7,
        createdAt: '1999-01-01',
        reporterId: 1,
        mergedIntoId: 3,
        isDowntime: true,
      },
    })
    expect(made).toMatchObject({ status: 'open', source: 'web', slaBreached: false, isDowntime: false })
    expect(made.id).not.toBe(7)
    expect(Date.parse(made.createdAt)).toBeGreaterThan(Date.now() - 60_000)
  })

  const bad: [string, Record<string, unknown>, string, number][] = [
    ['neither asset nor unit', { assetId: undefined }, 'assetId', 422],
    ['both', { unitId: 1 }, 'assetId', 422],
    ['an asset that is not there', { assetId: 2_000_000_000 }, 'assetId', 422],
    ['an asset id of text that is no number', { assetId: '1x' }, 'assetId', 422],
    ['an asset id with a fraction', { assetId: 1.5 }, 'assetId', 422],
    ['an asset id out of range', { assetId: 2 ** 31 }, 'assetId', 422],
    ['a negative asset id', { assetId: -1 }, 'assetId', 422],
    ['an object for an id', { assetId: { $gt: 0 } }, 'assetId', 422],
    ['no title', { title: undefined }, 'title', 422],
    ['a blank title', { title: ' \n ' }, 'title', 422],
    ['a long title', { title: 'x'.repeat(201) }, 'title', 422],
    ['a title that is a number', { title: 5 }, 'title', 422],
    ['NUL in the title', { title: 'a\0b' }, 'title', 422],
    ['a lone surrogate', { description: 'x\ud800y' }, 'description', 422],
    ['a long description', { description: 'x'.repeat(10_001) }, 'description', 422],
    ['an unknown severity', { severity: 'urgent' }, 'severity', 422],
    ['no severity', { severity: undefined }, 'severity', 422],
    ['anonymous by text', { isAnonymous: 'true' }, 'isAnonymous', 422],
  ]

  it.each(bad)('refuses %s and stores nothing', async (_what, given, field, status) => {
    const before = await incidentCount()
    const json = { assetId, title: 'x', severity: 'low', ...given }
    const answer = await house.ask('resident', '/api/incidents', { json })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    const problem = await answer.json()
    expect(problem).toMatchObject({ status, code: 'invalid', requestId: answer.headers.get('x-request-id') })
    expect(problem.errors[field][0]).toMatch(/^[A-Z]/)
    expect(await incidentCount()).toBe(before)
  })

  it.each([
    ['broken JSON', '{"title": "x', 'application/json', 400],
    ['an array', '[1]', 'application/json', 400],
    ['a bare string', '"x"', 'application/json', 400],
    ['__proto__', '{"__proto__": {"isAdmin": true}}', 'application/json', 400],
    ['a ten-megabyte title', `{"title":"${'x'.repeat(10_000_000)}"}`, 'application/json', 413],
    ['JSON that claims to be text', '{"title":"x"}', 'text/plain', 415],
    ['multipart without a boundary', 'x', 'multipart/form-data', 400],
    [
      'truncated multipart',
      '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx',
      'multipart/form-data; boundary=b',
      400,
    ],
  ])('refuses %s', async (_what, body, type, status) => {
    const answer = await house.ask('resident', '/api/incidents', { body, headers: { 'content-type': type } })
    expect(answer.status).toBe(status)
    const problem = await answer.json()
    expect(problem.status).toBe(status)
    expect(JSON.stringify(problem)).not.toMatch(/stack|node_modules|SyntaxError|Unexpected/)
  })
})

describe('a report with photos', () => {
  it('stores them with thumbnails and without any field for their names', async () => {
    const files = [
      { bytes: await picture('jpeg') },
      { bytes: await picture('png'), name: '../../x.svg', type: 'image/svg+xml' },
    ]
    const body = multipart({ assetId: String(assetId), title: 'Puddle', severity: 'medium' }, files)
    const answer = await house.ask('mobile', '/api/incidents', { body })
    expect(answer.status).toBe(201)
    const { photos } = await answer.json()
    expect(photos).toHaveLength(2)
    for (const photo of photos) {
      expect(Object.keys(photo)).toEqual(['id', 'path', 'createdAt'])
      for (const path of [photo.path, `${photo.path}.thumb.jpg`]) {
        const image = await house.ask('guest', `/api/photos/${path}`)
        expect(image.status).toBe(200)
        expect(image.headers.get('content-type')).toBe('image/jpeg')
        expect(image.headers.get('x-content-type-options')).toBe('nosniff')
        expect(image.headers.get('cache-control')).toContain('immutable')
        expect([...new Uint8Array(await image.arrayBuffer()).subarray(0, 2)]).toEqual([0xff, 0xd8])
      }
    }
  })

  it('works with an untouched file input', async () => {
    const boundary = 'caretaker'
    const part = (head: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
    const body = [
      part('name="assetId"', String(assetId)),
      part('name="unitId"', ''),
      part('name="title"', 'No photo'),
      part('name="severity"', 'low'),
      `--${boundary}\r\nContent-Disposition: form-data; name="photos[]"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`,
      `--${boundary}--\r\n`,
    ].join('')
    const answer = await house.ask('resident', '/api/incidents', {
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    expect(answer.status).toBe(201)
    expect((await answer.json()).photos).toEqual([])
  })

  it('reads text parts that declare a type, and file parts that declare none', async () => {
    const boundary = 'caretaker'
    const typed = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${value}\r\n`
    const head = Buffer.from(
      `${typed('assetId', String(assetId))}${typed('title', 'Typed')}${typed('severity', 'low')}--${boundary}\r\nContent-Disposition: form-data; name="photos[]"; filename="a.jpg"\r\n\r\n`,
    )
    const body = Buffer.concat([head, await picture(), Buffer.from(`\r\n--${boundary}--\r\n`)])
    const answer = await house.ask('resident', '/api/incidents', {
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    expect(answer.status).toBe(201)
    expect((await answer.json()).photos).toHaveLength(1)
  })

  it.each([
    [
      'something that is no picture',
      { bytes: Buffer.from('<svg onload=alert(1)>'), name: 'a.jpg' },
      1,
      415,
      'photos',
    ],
    ['an empty file', { bytes: Buffer.alloc(0), name: 'a.jpg' }, 1, 422, 'photos'],
    [
      'a file of eleven megabytes',
      { bytes: Buffer.alloc(11 * 1024 * 1024, 1), name: 'a.jpg' },
      1,
      413,
      'photos',
    ],
  ])('refuses %s with a word at the field, and stores nothing', async (_what, file, count, status, field) => {
    const before = await incidentCount()
    const body = multipart({ assetId: String(assetId), title: 'x', severity: 'low' }, Array(count).fill(file))
    const answer = await house.ask('resident', '/api/incidents', { body })
    expect(answer.status).toBe(status)
    expect((await answer.json()).errors[field]).toHaveLength(1)
    expect(await incidentCount()).toBe(before)
  })

  it('refuses a sixth photo', async () => {
    const bytes = await picture()
    const six = multipart({ assetId: String(assetId), title: 'x', severity: 'low' }, Array(6).fill({ bytes }))
    const answer = await house.ask('resident', '/api/incidents', { body: six })
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors.photos).toEqual(['You can add up to 5 photos'])
  })

  itInWholeRun('refuses seven photos of nine megabytes while they stream', async () => {
    const huge = multipart({ title: 'x' }, Array(7).fill({ bytes: Buffer.alloc(9 * 1024 * 1024) }))
    expect((await house.ask('resident', '/api/incidents', { body: huge })).status).toBe(413)
  })

  it('leaves no file behind in the upload folder, whatever came of it', async () => {
    const { readdir } = await import('node:fs/promises')
    const { config } = await import('../../src/platform/process/config.js')
    await house.ask('resident', '/api/incidents', {
      body: multipart({ title: '' }, [{ bytes: await picture() }]),
    })
    await house.ask('resident', '/api/incidents', {
      body: multipart({ title: 'x' }, [{ bytes: Buffer.from('no') }]),
    })
    expect(await readdir(config.uploadDir)).toEqual([])
  })

  it('serves nothing by a path of another shape', async () => {
    for (const path of [
      'x',
      '../keys.json',
      '%2e%2e/keys.json',
      'a/b/c.jpg',
      '00/00/00000000000000000000000000000000.jpg',
      '%00',
      '%ff',
      'x'.repeat(5000),
    ]) {
      expect((await house.ask('guest', `/api/photos/${path}`)).status).toBe(404)
    }
  })
})

describe('an Idempotency-Key', () => {
  it('makes one incident of two requests, one after the other or together', async () => {
    const json = { assetId, title: 'Once', severity: 'low' }
    const before = await incidentCount()
    const send = (key: string) =>
      house.json('resident', '/api/incidents', { json, headers: { 'idempotency-key': key } })
    const first = await send('key-1')
    expect(await send('key-1')).toEqual(first)
    const together = await Promise.all(Array.from({ length: 8 }, () => send('key-2')))
    expect(new Set(together.map(({ id }) => id)).size).toBe(1)
    expect(await incidentCount()).toBe(before + 2)
  })

  it('belongs to its caller and to one request', async () => {
    const json = { assetId, title: 'Mine', severity: 'low' }
    const headers = { 'idempotency-key': 'key-3' }
    const mine = await house.json('resident', '/api/incidents', { json, headers })
    const theirs = await house.json('manager', '/api/incidents', { json, headers })
    expect(theirs.id).not.toBe(mine.id)
    const other = await house.ask('resident', '/api/incidents', {
      json: { ...json, title: 'Other' },
      headers,
    })
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({ code: 'idempotency_reused' })
  })
})

describe('the report form', () => {
  it('shows a sticker of something that is gone the list of what there is', async () => {
    for (const id of ['999999', 'abc', '99999999999', '1%0d%0aX:y']) {
      const answer = await house.ask('guest', `/r/${id}`, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain(`/report?assetId=${assetId}`)
    }
  })

  it('comes back with everything typed, a summary that links to the fields, and the photos kept', async () => {
    const body = multipart(
      {
        assetId: String(assetId),
        title: '',
        description: 'Long story',
        severity: 'high',
        isAnonymous: 'true',
      },
      [{ bytes: await picture() }],
    )
    const answer = await house.ask('resident', '/report', {
      body,
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    })
    expect(answer.status).toBe(422)
    const { load } = await import('cheerio')
    const page = load(await answer.text())
    expect(page('title').text()).toMatch(/^Error: /)
    expect(page('.errors a[href="#title"]')).toHaveLength(1)
    expect(page('#title').attr('aria-invalid')).toBe('true')
    expect(page('#title-error')).toHaveLength(1)
    expect(page('textarea').text()).toContain('Long story')
    expect(page('input[name=severity][checked]').attr('value')).toBe('high')
    expect(page('#isAnonymous').attr('checked')).toBeDefined()
    const staged = page('input[name=stagedPhotos]').attr('value')!
    const thumbnail = page('.photos img').attr('src')!
    expect((await house.ask('resident', thumbnail)).status).toBe(200)
    expect((await house.ask('guest', thumbnail)).status).toBe(404)
    const second = await house.ask('resident', '/report', {
      form: {
        assetId: String(assetId),
        title: 'Now with title',
        severity: 'high',
        stagedPhotos: staged,
      },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    const id = second.headers.get('location')!.match(/\d+/)![0]
    expect((await house.json('guest', `/api/incidents/${id}`)).photos).toHaveLength(1)
    expect((await house.ask('guest', thumbnail)).status).toBe(200)
  })
})

describe('GET /api/incidents/:id', () => {
  it.each([
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'abc',
    '%00',
    '2147483648',
    '99999999999999999999',
    '999999',
    ' 1',
    '1;--',
  ])('answers 404 for %s, as JSON and as a page', async (id) => {
    const json = await house.ask('guest', `/api/incidents/${encodeURI(id)}`)
    expect(json.status).toBe(404)
    expect(await json.json()).toMatchObject({ code: 'not_found' })
    const page = await house.ask('guest', `/incidents/${encodeURI(id)}`)
    expect(page.status).toBe(404)
    expect(await page.text()).toContain('<h1>')
  })
})

describe('a title', () => {
  it('is one line, whatever was pasted into it', async () => {
    const title = ' Lift\r\nstands\tstill\u2028again\u0007 '
    const made = await house.json('resident', '/api/incidents', { json: { assetId, title, severity: 'low' } })
    expect(made.title).toBe('Lift stands still again')
    const changed = await house.json('manager', `/api/incidents/${made.id}`, {
      method: 'PATCH',
      json: { title: 'One\n\nTwo' },
    })
    expect(changed.title).toBe('One Two')
    for (const empty of ['\n', ' \r\n\t ', '\u2028']) {
      const answer = await house.ask('resident', '/api/incidents', {
        json: { assetId, title: empty, severity: 'low' },
      })
      expect(answer.status).toBe(422)
    }
    const window = {
      assetId,
      title: 'Yearly\ncheck',
      startsAt: '2031-01-01T00:00:00Z',
      endsAt: '2031-01-01T01:00:00Z',
    }
    const planned = await house.json('manager', '/api/admin/maintenance', { json: window })
    expect(planned.title).toBe('Yearly check')
  })

  it('has room for as many characters as ever once its lines are one', async () => {
    const json = {
      assetId,
      title: `${'\n'.repeat(100_000)}${'x'.repeat(200)}`,
      severity: 'low',
    }
    expect((await house.json('resident', '/api/incidents', { json })).title).toBe('x'.repeat(200))
  })
})
