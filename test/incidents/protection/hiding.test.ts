import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { fanOut } from '../../../src/notifications/fanOut.js'
import { query } from '../../../src/platform/db/database.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { staff, type Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { multipart, picture } from '../../support/pictures.js'
import { perRun } from '../../support/run/extent.js'
import { queryAfterFanOut } from '../../support/sending.js'
import { outsiders, surfaces } from './surfaces.js'

const house = useHouse()
const { office } = house
const assetId = 3
const marker = `mark${randomUUID().slice(0, 8)}`
let pair: MergedPair
let hideable: Hideable[]
/** What outsiders saw of it before it was hidden. */
let seen: Map<string, unknown>

beforeAll(reportAndHide)

describe('what the office has hidden', () => {
  it('is every text and photo of the story', () => {
    expect(pair.photos).toHaveLength(4)
    expect(hideable).toHaveLength(2 + 4 + 4)
  })

  it('is at no address that others can read', async () => {
    for (const [n, who] of outsiders.entries())
      for (const [path, accept] of perRun({
        quick: { every: 6, from: n },
        whole: surfaces([pair.survivor, pair.duplicate], assetId),
      })) {
        // What they wrote themselves is theirs to take along.
        if (path === '/api/account/data') continue
        const text = await (await house.ask(who, path, { headers: { accept } })).text()
        for (const secret of [marker, ...pair.photos])
          expect.soft(text.includes(secret), `${secret} at ${path} as ${who} and ${accept}`).toBe(false)
      }
  })

  it('is in no email or push that has not left, and in no webhook', async () => {
    const { emails, pushes } = await takeMessages()
    expect(emails.length).toBeGreaterThan(0)
    expect(JSON.stringify([emails, pushes])).not.toContain(marker)
    const waiting = await queryAfterFanOut<{ body: string }>(
      'select body from webhook_deliveries where claimed_at is null',
    )
    expect(waiting.length).toBeGreaterThan(0)
    expect(JSON.stringify(waiting)).not.toContain(marker)
  })

  it.each(outsiders)('is said to be hidden to %s', async (who) => {
    const { hidden, title, description, updates, photos, hiddenPhotos, duplicates } = await detail(
      pair.survivor,
      who,
    )
    expect({ hidden, title, description, photos, hiddenPhotos }).toEqual({
      hidden: true,
      title: 'Hidden by the office',
      description: '',
      photos: [],
      hiddenPhotos: 4,
    })
    expect(duplicates[0]).toMatchObject({ hidden: true, title: 'Hidden by the office', description: '' })
    expect(updates.filter((update: any) => update.hidden && update.body === '')).toHaveLength(4)
    const page = (await house.page(who, `/incidents/${pair.survivor}`))('main').text()
    expect(page.match(/The office has hidden this text/g)).toHaveLength(6)
    expect(page).toContain('The office has hidden 4 photos.')
  })

  it('is read by staff, and marked', async () => {
    for (const who of staff) {
      const shown = await detail(pair.survivor, who)
      expect(shown).toMatchObject({ hidden: true, title: `${marker} title 1` })
      expect(
        shown.updates.filter((update: any) => update.hidden && update.body.includes(marker)),
      ).toHaveLength(4)
      expect(shown.photos.filter(({ hidden }: any) => hidden)).toHaveLength(4)
    }
  })

  it.each([...outsiders, 'manager'] as Who[])('has photos that %s gets only with a right to', async (who) => {
    for (const photo of pair.photos.flatMap((path) => [path, `${path}.thumb.jpg`])) {
      const answer = await house.ask(who, `/api/photos/${photo}`)
      expect(answer.status).toBe(who === 'manager' ? 200 : 404)
      await answer.arrayBuffer()
      if (who === 'manager') expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  it('is hidden once and shown once, however often that is asked, with an audit entry each', async () => {
    const entries = () =>
      query('select from audit_entries where action in ($1, $2)', ['incident.hidden', 'incident.restored'])
    await hideAll()
    const hidden = (await entries()).length
    expect(hidden).toBe(hideable.length)
    await restoreAll()
    await restoreAll()
    expect((await entries()).length).toBe(2 * hidden)
    for (const who of outsiders) expect(await detail(pair.survivor, who)).toEqual(seen.get(who))
  })

  it('belongs to the incident in the address, or is not found', async () => {
    const [, entry] = hideable.find(
      ([path, json]) => 'updateId' in json && path.endsWith(`/${pair.survivor}`),
    )!
    for (const json of [entry, { updateId: 2_000_000 }, { photoId: 2_000_000 }]) {
      const answer = await house.ask('manager', `/api/incidents/${pair.duplicate}/hide`, { json })
      expect(answer.status).toBe(404)
    }
  })

  it('keeps its title where the description alone is hidden', async () => {
    const id = await house.report({ title: 'Tap drips', description: 'Ask for Ann in 4.', severity: 'low' })
    const act = (what: string, json: object) =>
      house.json('manager', `/api/incidents/${id}/${what}`, { json })
    await act('hide', { onlyDescription: true })
    expect(await detail(id, 'guest')).toMatchObject({ hidden: true, title: 'Tap drips', description: '' })
    await act('restore', {})
    expect(await detail(id, 'guest')).toMatchObject({ title: 'Tap drips', description: 'Ask for Ann in 4.' })
  })

  it('loses its title as well, later, while its description stays hidden', async () => {
    const id = await house.report({ title: 'Ann drips', description: 'Ask for Ann in 4.', severity: 'low' })
    const hide = (json: object) => house.json('manager', `/api/incidents/${id}/hide`, { json })
    await hide({ onlyDescription: true })
    const buttons = async () => {
      const page = await house.page('manager', `/incidents/${id}`)
      return page('.entry-menu button')
        .toArray()
        .map((button) => page(button).text())
    }
    expect(await buttons()).toContain('Hide title')
    await hide({})
    await hide({})
    expect(await detail(id)).toMatchObject({ hidden: true, title: 'Hidden by the office', description: '' })
    expect(await buttons()).not.toContain('Hide title')
    const entries = await query(
      `select from audit_entries where action = 'incident.hidden' and entity_id = $1`,
      [id],
    )
    expect(entries).toHaveLength(2)
    await house.json('manager', `/api/incidents/${id}/restore`, { json: {} })
    expect(await detail(id)).toMatchObject({ title: 'Ann drips', description: 'Ask for Ann in 4.' })
  })

  it('without its title hidden, takes a corrected title for staff as well, and keeps it', async () => {
    const id = await house.report({ title: 'Lift', description: 'Ask for Ann in 4.', severity: 'low' })
    const path = `/api/incidents/${id}`
    await house.json('manager', `${path}/hide`, { json: { onlyDescription: true } })
    await house.json('manager', path, { method: 'PATCH', json: { title: 'North lift' } })
    expect((await detail(id)).title).toBe('North lift')
    expect((await detail(id, 'manager')).title).toBe('North lift')
    const page = await house.page('manager', `/incidents/${id}`)
    expect(page('.entry-menu').text()).toContain('Hide title')
    await house.json('manager', `${path}/restore`, { json: {} })
    expect(await detail(id)).toMatchObject({ title: 'North lift', description: 'Ask for Ann in 4.' })
  })

  it('can have another title for everybody, until it is shown again', async () => {
    const path = `/api/incidents/${pair.survivor}`
    await house.json('manager', `${path}/hide`, { json: {} })
    await house.json('manager', path, { method: 'PATCH', json: { title: 'The lift stands' } })
    expect((await detail(pair.survivor)).title).toBe('The lift stands')
    await house.json('manager', `${path}/restore`, { json: {} })
    expect((await detail(pair.survivor)).title).toBe(`${marker} title 1`)
  })
})

async function reportAndHide(): Promise<void> {
  pair = await reportWithMarkers()
  hideable = await hideableIn(pair)
  seen = new Map()
  for (const who of outsiders) seen.set(who, await detail(pair.survivor, who))
  await hideAll()
}

/** What can be hidden: the address of its report, and the body of the request. */
type Hideable = [path: string, json: object]

type MergedPair = { survivor: number; duplicate: number; photos: string[] }

/**
 * A survivor and its duplicate: each of their texts has the marker, and each has photos. Nothing
 * of it has left when it is hidden.
 */
async function reportWithMarkers(): Promise<MergedPair> {
  await house.subscription({ events: ['incident.created', 'incident.status_changed'] })
  await emptyOutbox()
  const survivor = await reportWithPhoto(1)
  // The one is a delivery by the time that it is hidden, the other still an event.
  await fanOut()
  const duplicate = await reportWithPhoto(2)
  for (const id of [survivor, duplicate]) {
    await postWithPhoto(`/api/incidents/${id}/updates`, { body: `${marker} comment` })
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: `${marker} word`, statusReason: `${marker} reason`, onStatusPage: true },
    })
    await house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json: { statusReason: null } })
  }
  await office.merges(duplicate, survivor)
  const photos = (await detail(survivor)).photos.map(({ path }: { path: string }) => path)
  return { survivor, duplicate, photos }
}

async function reportWithPhoto(n: number): Promise<number> {
  const title = `${marker} title ${n}`
  const description = `${marker} description ${n}`
  const fields = { assetId: `${assetId}`, severity: 'critical', title, description }
  return (await postWithPhoto('/api/incidents', fields)).id
}

async function postWithPhoto(path: string, fields: Record<string, string>) {
  const body = multipart(fields, [{ bytes: await picture() }])
  return house.json('resident', path, { body })
}

/** Everything of both reports that can be hidden by itself. */
async function hideableIn({ survivor, duplicate }: MergedPair): Promise<Hideable[]> {
  const { updates, photos } = await detail(survivor)
  const at = (id: number | undefined) => `/api/incidents/${id ?? survivor}`
  return [
    [at(survivor), {}],
    [at(duplicate), {}],
    ...updates
      .filter(({ body }: { body: string }) => body.includes(marker))
      .map(({ id, fromIncidentId }: any) => [at(fromIncidentId), { updateId: id }]),
    ...photos.map(({ id, fromIncidentId }: any) => [at(fromIncidentId), { photoId: id }]),
  ]
}

async function hideAll(): Promise<void> {
  for (const [path, json] of hideable) await house.json('manager', `${path}/hide`, { json })
}

async function restoreAll(): Promise<void> {
  for (const [path, json] of hideable) await house.json('manager', `${path}/restore`, { json })
}

function detail(id: number, who: Who = 'guest') {
  return house.json(who, `/api/incidents/${id}`)
}
