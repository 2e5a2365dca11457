import { load } from 'cheerio'
import type { House } from '../house/house.js'
import { multipart, picture } from '../pictures.js'
import { browserOf, hiddenIn } from './guestBrowser.js'

/**
 * What the sign-in page carries of a guest's report that was sent from this address: `report:` and
 * its id where it is stored, else the JSON of its fields.
 */
export async function carriedReport(house: House, address: string, photos = 0): Promise<string> {
  const browser = browserOf(house)
  const headers = { 'x-forwarded-for': address }
  const page = await browser.page('/report?assetId=7', { headers })
  const fields = { ...hiddenIn(page, 'form[action="/report"]'), assetId: '7', title: 'Lamp', severity: 'low' }
  const pictures = photos > 0 ? [{ bytes: await picture() }] : []
  const answer = await browser.ask('/report', { body: multipart(fields, pictures), headers })
  const signIn = load(
    await (answer.status === 303 ? (await browser.follow(answer)).page.html() : answer.text()),
  )
  return hiddenIn(signIn, 'form[action="/sign-in"]').typed ?? ''
}
