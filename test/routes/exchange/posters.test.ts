import QRCode from 'qrcode'
import { afterEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/ops/config.js'
import { useApp } from '../../support/app.js'

const app = useApp()
const address = '/admin/assets/posters'

const published = config.publicUrl
afterEach(() => Object.assign(config, { publicUrl: published }))

/** The dark modules of a drawn code, as rows of 0 and 1; its white frame taken off. */
function drawn(viewBox: string, path: string): string[] {
  const frame = 4
  const size = Number(viewBox.split(' ')[2]) - 2 * frame
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '0'))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let i = 0; i < Number(width); i++) rows[Number(y) - frame]![Number(x) - frame + i] = '1'
  return rows.map((row) => row.join(''))
}

function expected(text: string): string[] {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'Q' })
  return Array.from({ length: modules.size }, (_, y) =>
    Array.from({ length: modules.size }, (_, x) => String(modules.get(y, x))).join(''),
  )
}

async function stickersOn(path: string) {
  const page = await app.page('manager', path)
  return page('.sticker')
    .toArray()
    .map((element) => {
      const sticker = page(element)
      const svg = sticker.find('svg')
      return {
        name: sticker.find('h2').text(),
        text: sticker.text(),
        spoken: svg.attr('aria-label') ?? '',
        code: drawn(svg.attr('viewbox') ?? svg.attr('viewBox') ?? '', svg.find('path').attr('d') ?? ''),
      }
    })
}

describe('/admin/assets/posters', () => {
  it('has one sticker for each asset in use, in their order', async () => {
    const { assets } = await app.json('guest', '/api/status')
    const names = (await stickersOn(address)).map(({ name }) => name)
    expect(names).toEqual(assets.map(({ name }: { name: string }) => name))
    await query('update assets set archived_at = now() where id = $1', [assets[0].id])
    expect(await stickersOn(address)).toHaveLength(assets.length - 1)
    await query('update assets set archived_at = null')
  })

  it('draws on each the code of its own report address, and says it', async () => {
    const rows = await query<{ id: number; name: string }>('select id, name from assets')
    const idOf = new Map(rows.map(({ id, name }) => [name, id]))
    const stickers = await stickersOn(address)
    expect(stickers.length).toBeGreaterThan(5)
    for (const { name, code, spoken, text } of stickers) {
      const link = `http://localhost:${config.port}/r/${idOf.get(name)}`
      expect(spoken).toContain(link)
      expect(text).toContain(link)
      expect(code).toEqual(expected(link))
    }
  })

  it('opens the public address when the building has one', async () => {
    Object.assign(config, { publicUrl: 'https://house.example' })
    const [first] = await stickersOn(address)
    expect(first!.spoken).toMatch(/ https:\/\/house\.example\/r\/\d+$/)
    expect((await app.page('manager', address))('.warning')).toHaveLength(0)
  })

  it('warns when only this computer could open the codes', async () => {
    Object.assign(config, { publicUrl: null })
    expect((await app.page('manager', address))('.warning').text()).toContain('PUBLIC_URL')
  })

  it('says the building, its address, the tower, the label and what to do', async () => {
    await query(`update assets set code = 'LIFT-7' where id = (select min(id) from assets)`)
    const [property] = await query<{ name: string; address: string }>('select name, address from properties')
    const stickers = await stickersOn(address)
    for (const { text } of stickers) {
      expect(text).toContain(property!.name)
      expect(text).toContain(property!.address)
      expect(text).toContain('Broken? Scan to report')
    }
    expect(stickers.filter(({ text }) => text.includes('LIFT-7'))).toHaveLength(1)
    await query('update assets set code = null')
    expect((await stickersOn(address))[0]!.text).toMatch(/No\. \d+/)
  })

  it('can be of one tower, on either paper', async () => {
    const [tower] = await query<{ id: number; assets: number }>(
      'select tower_id as id, count(*) as assets from assets group by tower_id order by tower_id limit 1',
    )
    expect(await stickersOn(`${address}?tower=${tower!.id}&size=`)).toHaveLength(tower!.assets)
    const page = await app.page('manager', `${address}?tower=${tower!.id}&size=letter`)
    expect(page('.sheet.letter').length).toBeGreaterThan(0)
    expect(page('.sheet.a4')).toHaveLength(0)
    expect(page('#size option[selected]').attr('value')).toBe('letter')
    expect(page('#tower option[selected]').attr('value')).toBe(String(tower!.id))
  })

  it('puts at most eight on a sheet', async () => {
    const page = await app.page('manager', address)
    const sizes = page('.sheet')
      .toArray()
      .map((sheet) => page(sheet).find('.sticker').length)
    expect(sizes.slice(0, -1).every((n) => n === 8)).toBe(true)
    expect(sizes.at(-1)).toBeLessThanOrEqual(8)
  })

  it('is linked from the assets', async () => {
    expect((await app.page('manager', '/admin/assets'))(`main a[href="${address}"]`)).toHaveLength(1)
  })

  it('says so when there is nothing to print', async () => {
    const page = await app.page('manager', `${address}?tower=999999`)
    expect(page('.sticker')).toHaveLength(0)
    expect(page('main').text()).toContain('no assets to print')
  })

  it.each(['size=a3', 'tower=north', 'size=a4&size=letter'])('refuses ?%s', async (search) => {
    expect((await app.ask('manager', `${address}?${search}`)).status).toBe(400)
  })

  it('is JSON for those who ask for it', async () => {
    const [first] = await app.json('manager', address, { headers: { accept: 'application/json' } })
    expect(Object.keys(first)).toEqual(['assetId', 'name', 'towerName', 'code', 'link'])
  })
})
