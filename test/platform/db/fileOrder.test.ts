import type { WriteStream } from 'node:fs'
import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useHouse } from '../../support/house/house.js'
import { multipart } from '../../support/pictures.js'

/**
 * Milliseconds until each file of the next request is closed, in the order
 * in which they are opened.
 */
let delays: number[] = []

vi.mock('node:fs', slowFiles)

const house = useHouse()

it.each([
  ['the first is written last', [90, 60, 30, 0]],
  ['the last is written last', [0, 30, 60, 90]],
])('photos stand in the order of the form, and its repetition is known, when %s', async (_what, given) => {
  const files = await Promise.all(
    widths.map(async (width) => ({
      bytes: await sharp({ create: { width, height: 40, channels: 3, background: '#3a6' } })
        .jpeg()
        .toBuffer(),
    })),
  )
  const send = (order: number[]) => {
    delays = [...order]
    const body = multipart({ assetId: '1', title: 'Lift stuck', severity: 'low' }, files)
    const headers = { 'idempotency-key': `order-${given[0]}`, accept: 'application/json' }
    return house.json('resident', '/api/incidents', { method: 'POST', body, headers })
  }
  const { id } = await send(given)
  const photos = await query('select width from photos where incident_id = $1 order by id', [id])
  expect(photos.map(({ width }) => width)).toEqual(widths)
  expect(await send(given.toReversed())).toMatchObject({ id })
})

const widths = [50, 60, 70, 80]

/** The module `node:fs`, whose files take as long to close as `delays` says. */
async function slowFiles(original: () => Promise<typeof import('node:fs')>) {
  const fs = await original()
  const createWriteStream = (...given: Parameters<typeof fs.createWriteStream>): WriteStream => {
    const stream = fs.createWriteStream(...given)
    const [end, delay] = [stream.end.bind(stream), delays.shift() ?? 0]
    stream.end = (() => {
      setTimeout(end, delay)
      return stream
    }) as typeof stream.end
    return stream
  }
  return { ...fs, createWriteStream }
}
