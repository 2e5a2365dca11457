import { type Asked, people, type Who } from '../house/asking.js'
import type { House } from '../house/house.js'
import { answerFaults } from './assertions/answers.js'
import { fromForeignHost } from './assertions/foreignHost.js'
import type { Endpoint } from './endpoints.js'
import type { Use } from './examples/use.js'

type Sent = Asked & { who?: Who; address?: string }

/** A write of the product with a use of it that has been set up. */
export type Write = {
  endpoint: Endpoint
  use: Use
  /** Sends a body to its address, or to another one, as the example's caller or somebody else. */
  send: (given?: Sent) => Promise<Response>
  /** What was wrong with answers so far, each with the name of its assertion. */
  faults: string[]
}

/** The key of a route in the examples: the page and the API address of a route do the same. */
export const keyOf = ({ method, path }: Endpoint) => `${method} ${path.replace(/^\/api/, '')}`

/** A write that sends as a page of ours would, by a name that is not ours. */
export function writeOf(house: House, endpoint: Endpoint, use: Use): Write {
  const faults: string[] = []
  const segments = [...(use.ids ?? [])]
  const ownAddress = endpoint.path.replaceAll(/:\w+/g, () => String(segments.shift()))
  const caller = use.who ?? 'admin'

  async function send({ who = caller, address = ownAddress, headers, ...asked }: Sent = {}) {
    const isOwn = who === caller && use.cookie !== undefined
    const answer = await house.ask(who, address, {
      method: endpoint.method,
      ...asked,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...fromForeignHost(),
        ...(isOwn ? { cookie: use.cookie! } : {}),
        ...headers,
      },
    })
    const text = await answer.clone().text()
    faults.push(...answerFaults(answer, text, address).map((fault) => `${address} as ${who}: ${fault}`))
    const type = answer.headers.get('content-type') ?? 'none'
    const isPage = type.startsWith('text/html')
    const wantsPage = headers?.accept === 'text/html' && !address.startsWith('/api/') && answer.status >= 400
    if (wantsPage ? !isPage : headers?.accept === 'application/json' && isPage)
      faults.push(`${address} as ${who}: ${answer.status} is ${type} for ${headers!.accept}`)
    const isSignedIn = isOwn || (people as readonly Who[]).includes(who)
    const cache = answer.headers.get('cache-control') ?? 'none'
    if (isSignedIn && !cache.includes('no-store') && !isRefusedForm(answer))
      faults.push(`${address} as ${who}: kept by caches: ${answer.status} ${cache}`)
    return answer
  }

  return { endpoint, use, send, faults }
}

/** "Back" in the browser must show a refused form again. */
const isRefusedForm = ({ status, headers }: Response) =>
  status >= 400 && headers.get('content-type')?.startsWith('text/html') === true

/** As the form of a page sends it: all is text, and a list is its name several times. */
export function asForm(json: object): URLSearchParams {
  const pairs = Object.entries(json).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
  return new URLSearchParams(pairs)
}

/** Sends the example as its route is meant to be used. */
export function sendUse({ endpoint, use, send }: Write): Promise<Response> {
  if (!use.json) return send()
  return send(endpoint.path.startsWith('/api/') ? { json: use.json } : { body: asForm(use.json) })
}
