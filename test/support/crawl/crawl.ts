import { load } from 'cheerio'
import { appRouter } from '../../../src/app/routes.js'
import { decideAccess, type Permission } from '../../../src/vocabulary/people/permissions.js'
import type { House } from '../house/house.js'
import type { Reader } from '../pages.js'
import { perRun } from '../run/extent.js'
import { brokenFragments, type Offer, offersOf } from './offers.js'

/** Addresses of one route that are opened, and of those with a query, by the names in it. */
const mostOfRoute = perRun({ quick: 8, whole: 100 })
const mostOfQuery = perRun({ quick: 1, whole: 3 })

/** Acts that end the session of whoever presses, or the account. */
const endsSession = ['/sign-out', '/account/erase', '/account/password', '/account/sign-out-everywhere']

/** A button as it was found, on the page that has it. */
type Found = { page: string; offer: Offer }

const table = appRouter()

/** The route of the product for a method at an address, and who may use it. */
function routeOf(method: string, address: string): { path: string; permission: Permission } | null {
  const layer = table.match(address.split('?')[0]!, method).pathAndMethod.at(-1)
  if (!layer) return null
  const { permission } = layer.stack[0] as unknown as { permission: Permission }
  return { path: String(layer.path), permission }
}

/** Somebody who goes through the pages of the product and notes what leads nowhere. */
export class Crawl {
  /** The pages that were seen. */
  readonly pages = new Set<string>()
  /** The kinds of buttons that were pressed. */
  readonly presses = new Set<string>()
  /** A line for each thing that leads nowhere. */
  readonly faults = new Set<string>()

  private readonly queue: { address: string; from: string }[] = []
  private readonly opened = new Set<string>()
  private readonly counts = new Map<string, number>()
  private readonly buttons = new Map<string, Found[]>()

  constructor(
    private readonly house: House,
    private readonly who: Reader,
  ) {}

  /** Opens these addresses and all that is found from them on. Changes nothing. */
  async open(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) this.queue.push({ address, from: 'the list of pages' })
    await this.openQueue()
  }

  /**
   * Presses one button of each kind that was found, on a page that still has it, with what the page
   * has filled in, and opens what that leads to. The usual run presses every third kind.
   */
  async pressAll(): Promise<void> {
    for (const [kind, found] of perRun({ quick: { every: 3 }, whole: [...this.buttons] })) {
      const { address } = found[0]!.offer
      if (endsSession.some((path) => address.startsWith(path))) continue
      if (await this.press(found)) this.presses.add(kind)
      await this.openQueue()
    }
  }

  private async openQueue(): Promise<void> {
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const { address, from } = next
      if (!this.isToOpen(address)) continue
      const answer = await this.house.ask(this.who, address, { headers: asBrowser })
      if (answer.status >= 400) this.faults.add(`GET ${address}: ${answer.status}, from ${from}`)
      await this.look(address, answer)
    }
  }

  /** Whether an address is new, and not one of too many of its kind. */
  private isToOpen(address: string): boolean {
    if (this.opened.has(address)) return false
    const [path, query] = address.split('?')
    const names = query === undefined ? [] : [...new Set(new URLSearchParams(query).keys())].toSorted()
    const kind = `${routeOf('GET', address)?.path ?? path} ${names.join()}`
    const count = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, count)
    if (count > (query === undefined ? mostOfRoute : mostOfQuery)) return false
    this.opened.add(address)
    return true
  }

  private async look(address: string, answer: Response): Promise<void> {
    const location = answer.headers.get('location')
    if (location?.startsWith('/')) this.queue.push({ address: location.replace(/#.*/, ''), from: address })
    if (!answer.headers.get('content-type')?.startsWith('text/html')) return
    this.pages.add(address)
    const $ = load(await answer.text())
    for (const fragment of brokenFragments($)) this.faults.add(`${address}: no element ${fragment}`)
    for (const offer of offersOf($, address)) this.check(address, offer)
  }

  private check(page: string, offer: Offer): void {
    const { method, address, element } = offer
    if (method === 'GET') {
      this.queue.push({ address, from: `${page} ${element}` })
      return
    }
    const route = routeOf(method, address)
    if (!route) {
      this.faults.add(`${method} ${address}: no route, from ${page} ${element}`)
      return
    }
    if (decideAccess(this.who, route.permission) === 'forbidden')
      this.faults.add(`${method} ${address}: not for ${this.who}, from ${page} ${element}`)
    const button = /<(?:button|input) .*$/.exec(element)?.[0].replaceAll(/\d+/g, ':id') ?? ''
    const kind = `${method} ${route.path} ${button}`
    this.buttons.set(kind, [...(this.buttons.get(kind) ?? []), { page, offer }])
  }

  private async press(found: Found[]): Promise<boolean> {
    for (const { page, offer } of found.slice(0, 3)) {
      const again = await this.house.ask(this.who, page, { headers: asBrowser })
      if (again.status !== 200) continue
      const same = offersOf(load(await again.text()), page).find(
        ({ element, address }) => element === offer.element && address === offer.address,
      )
      if (!same) continue
      const { method, address } = same
      const body = same.isMultipart ? multipart(same.fields!) : new URLSearchParams(same.fields!)
      const answer = await this.house.ask(this.who, address, { method, body, headers: asBrowser })
      if ([404, 405, 413, 415].includes(answer.status) || answer.status >= 500)
        this.faults.add(`${method} ${address}: ${answer.status}, pressed on ${page} ${same.element}`)
      await this.look(page, answer)
      return true
    }
    return false
  }
}

const asBrowser = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

function multipart(fields: [string, string][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}
