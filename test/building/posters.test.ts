import type { CheerioAPI } from 'cheerio'
import QRCode from 'qrcode'
import { afterEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const address = '/admin/assets/posters'

const published = config.publicUrl
afterEach(() => Object.assign(config, { publicUrl: published }))

describe('/admin/assets/posters', () => {
  it('has a sticker for each asset, with its place, what to do, and the code of its own report address', async () => {
    const { assets } = await house.json('guest', '/api/status')
    for (const [asset, code] of [
      [assets.at(0), 'LIFT-7'],
      [assets.at(-1), null],
    ])
      await house.json('manager', `/api/admin/assets/${asset.id}`, { method: 'PATCH', json: { code } })
    const [property] = await query<{ name: string; address: string }>('select name, address from properties')
    const page = await pageOf()
    const stickers = stickersOf(page)
    expect(stickers.map(({ name }) => name)).toEqual(assets.map(({ name }: { name: string }) => name))
    for (const [i, { code, spoken, text }] of stickers.entries()) {
      const link = `http://localhost:${config.port}/r/${assets[i].id}`
      expect(spoken).toContain(link)
      expect(code).toEqual(codeOf(link))
      for (const words of [link, property!.name, property!.address, 'Broken? Scan to report'])
        expect(text).toContain(words)
    }
    expect(stickers.filter(({ text }) => text.includes('LIFT-7'))).toHaveLength(1)
    expect(stickers.filter(({ text }) => /No\. \d+/.test(text))).toHaveLength(1)
    const sizes = page('.sheet')
      .toArray()
      .map((sheet) => page(sheet).find('.sticker').length)
    expect(sizes.slice(0, -1).every((n) => n === 8)).toBe(true)
    expect(sizes.at(-1)).toBeLessThanOrEqual(8)
  })

  it('opens the public address when the building has one, and warns where only this computer could open it', async () => {
    Object.assign(config, { publicUrl: 'https://house.example' })
    const page = await pageOf('?tower=1')
    expect(stickersOf(page)[0]!.spoken).toMatch(/ https:\/\/house\.example\/r\/\d+$/)
    expect(page('.warning')).toHaveLength(0)
    Object.assign(config, { publicUrl: null })
    expect((await pageOf('?tower=1'))('.warning').text()).toContain('PUBLIC_URL')
  })

  it('can be of one tower, on either paper', async () => {
    const [tower] = await query<{ id: number; assets: number }>(
      'select tower_id as id, count(*) as assets from assets group by tower_id order by tower_id limit 1',
    )
    expect(stickersOf(await pageOf(`?tower=${tower!.id}&size=`))).toHaveLength(tower!.assets)
    const page = await house.page('manager', `${address}?tower=${tower!.id}&size=letter`)
    expect(page('.sheet.letter').length).toBeGreaterThan(0)
    expect(page('.sheet.a4')).toHaveLength(0)
    expect(page('#size option[selected]').attr('value')).toBe('letter')
    expect(page('#tower option[selected]').attr('value')).toBe(String(tower!.id))
  })

  it('is linked from the assets', async () => {
    expect((await house.page('manager', '/admin/assets'))(`main a[href="${address}"]`)).toHaveLength(1)
  })

  it('says so when there is nothing to print', async () => {
    const page = await house.page('manager', `${address}?tower=999999`)
    expect(page('.sticker')).toHaveLength(0)
    expect(page('main').text()).toContain('no assets to print')
  })

  it('refuses papers and towers it does not know', async () => {
    for (const search of ['size=a3', 'tower=north', 'size=a4&size=letter'])
      expect((await house.ask('manager', `${address}?${search}`)).status, search).toBe(400)
  })

  it('is JSON for those who ask for it', async () => {
    const [first] = await house.json('manager', address, { headers: { accept: 'application/json' } })
    expect(Object.keys(first)).toEqual(['assetId', 'name', 'towerName', 'code', 'link'])
  })
})

/** The dark modules of a drawn code, as rows of 0 and 1; its white frame taken off. */
function modulesOf(viewBox: string, path: string): string[] {
  const frame = 4
  const size = Number(viewBox.split(' ')[2]) - 2 * frame
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '0'))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let i = 0; i < Number(width); i++) rows[Number(y) - frame]![Number(x) - frame + i] = '1'
  return rows.map((row) => row.join(''))
}

/** The modules of the code that this text should have. */
function codeOf(text: string): string[] {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'Q' })
  return Array.from({ length: modules.size }, (_, y) =>
    Array.from({ length: modules.size }, (_, x) => String(modules.get(y, x))).join(''),
  )
}

/** The stickers of a page, with the codes that are drawn on them. */
function stickersOf(page: CheerioAPI) {
  return page('.sticker')
    .toArray()
    .map((element) => {
      const sticker = page(element)
      const svg = sticker.find('svg')
      return {
        name: sticker.find('h2').text(),
        text: sticker.text(),
        spoken: svg.attr('aria-label') ?? '',
        code: modulesOf(svg.attr('viewbox') ?? svg.attr('viewBox') ?? '', svg.find('path').attr('d') ?? ''),
      }
    })
}

function pageOf(search = '') {
  return house.page('manager', `${address}${search}`)
}
