import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'
import { column } from '../support/rows.js'

const house = useHouse()

describe('the first visit to the status page', () => {
  it('of the demo building fits the first flight of a connection with room to spare', async () => {
    const { htmlAndCss, whole, requests } = await weigh('/')
    expect(htmlAndCss).toBeLessThanOrEqual(6_000)
    expect(whole).toBeLessThanOrEqual(30_000)
    expect(requests).toBeLessThanOrEqual(6)
  })

  it('of a building with 300 assets fits it, too: problems, and towers that lead to the rest', async () => {
    await query(
      `insert into assets (tower_id, name, category) select 1, 'Riser valve ' || n, 'Valve'
       from generate_series(1, 287) n`,
    )
    await query(
      `insert into incidents (title, severity, status, source, asset_id, is_downtime, created_at,
         acknowledged_at, resolved_at)
       select 'Leak ' || n, 'high', 'resolved', 'web', a.id, n % 3 = 0, at, at, at + (n % 50) * interval '1 hour'
       from assets a,
         lateral (select n, now() - ((a.id * 7 + n * 13) % 88) * interval '1 day' - interval '2 days' as at
         from generate_series(1, 3) n) given`,
    )
    const [first] = await column<number>(`select id from assets where category = 'Valve' order by id`)
    // By an act of the product, after which the status page is made again.
    await house.asset({ category: 'Valve' })
    await house.report({ assetId: first!, severity: 'critical' })
    expect((await weigh('/')).htmlAndCss).toBeLessThanOrEqual(6_000)
    expect((await wireBytes('/')).text.length).toBeLessThanOrEqual(40_000)
    expect((await wireBytes('/assets')).text.length).toBeLessThanOrEqual(40_000)
  })

  it('carries none of the indentation of its templates', async () => {
    const { text } = await wireBytes('/')
    expect(text).not.toMatch(/^(?: {2}|\t)/m)
  })

  it('asks no other host for anything', async () => {
    const { text } = await wireBytes('/')
    expect([...text.matchAll(/(?:href|src)="(https?:)?\/\//g)]).toEqual([])
  })
})

/** Bytes on the wire of an answer to a client that takes brotli; fetch would unpack it. */
async function wireBytes(path: string): Promise<{ bytes: number; text: string }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const asked = request(
      house.origin() + path,
      { headers: { 'accept-encoding': 'br', accept: 'text/html,*/*;q=0.8' } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => {
          const body = Buffer.concat(chunks)
          const packed = answer.headers['content-encoding'] === 'br'
          resolve({ bytes: body.length, text: (packed ? brotliDecompressSync(body) : body).toString() })
        })
      },
    )
    asked.on('error', reject).end()
  })
}

async function weigh(path: string) {
  const page = await wireBytes(path)
  const files = [...page.text.matchAll(/<(?:link|script)[^>]+(?:href|src)="(\/static\/[^"]+)"/g)].map(
    ([, file]) => file!,
  )
  const sizes = await Promise.all(files.map(async (file) => ({ file, ...(await wireBytes(file)) })))
  const css = sizes.filter(({ file }) => file.endsWith('.css')).reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    htmlAndCss: page.bytes + css,
    whole: page.bytes + sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: 1 + files.length,
  }
}
