import type { Asked, Who } from '../../house/asking.js'
import type { House } from '../../house/house.js'
import { forgetCounts } from '../../house/limits.js'
import { perRun } from '../../run/extent.js'
import { eachWithEach } from '../../tables.js'
import { type Endpoint, readEndpoints } from '../endpoints.js'
import { expectOrdinary } from './answers.js'
import { schemaOf } from './fields.js'
import { nextWord, outsideWords, strangeAddresses, withSegments } from './outsideWords.js'

/** A request that no one means, and every answer to it must be an ordinary one. */
export type StrangeRequest = [path: string, asked?: Asked]

/** The others are asked for as they are in every test of reads. */
const withVariablePart = readEndpoints.map(({ path }) => path).filter((path) => /:|\{/.test(path))

/** The parameters a read declares, and those only its page reads. */
const parametersOf = ({ route, path }: Endpoint) => [
  ...Object.keys(route?.query ? schemaOf(route.query).shape : {}),
  ...(path === '/incidents/:id' ? ['find'] : []),
]

/**
 * Values that a database column may choke on: no text, no number, no time,
 * nothing of their type's range.
 */
const strange = ['%00', '%ff', '%ED%A0%80', '99999999999', '-1', '0000-00-00', '9999-99-99T99:99Z', 'a&%s=b']

const headers = [
  'Accept',
  'Accept-Language',
  'Accept-Encoding',
  'If-None-Match',
  'HX-Request',
  'X-Request-Id',
  'User-Agent',
  'Origin',
  'Sec-Fetch-Site',
  'Idempotency-Key',
  'HX-History-Restore-Request',
]
const paths = ['/', '/live', '/incidents', '/sign-in', '/api/status', '/api/incidents', '/nowhere']

function strangeHeaders(): readonly StrangeRequest[] {
  const ofHeaders = perRun({ quick: { everyValue: true }, whole: eachWithEach(paths, headers) }).flatMap(
    ([path, name]) =>
      [nextWord(), nextWord()].map((word): StrangeRequest => [path, { headers: { [name]: word } }]),
  )
  const ofWords = perRun({ quick: { everyValue: true }, whole: eachWithEach(paths, outsideWords) }).map(
    ([path, word]): StrangeRequest => [path, { headers: { 'accept-language': word } }],
  )
  return perRun({ quick: { every: 3 }, whole: [...ofHeaders, ...ofWords] })
}

function strangeCredentials(): readonly StrangeRequest[] {
  const cookies = ['caretaker-language', 'caretaker', 'caretaker-form', 'caretaker-form.sig']
  const given = [
    ...perRun({ quick: { everyValue: true }, whole: eachWithEach(cookies, outsideWords) }).map(
      ([name, word]) => ({ cookie: `${name}=${word}` }),
    ),
    ...outsideWords.map((word) => ({ authorization: `Bearer ${word}` })),
  ]
  const asked = perRun({
    quick: { everyValue: true },
    whole: eachWithEach(['/', '/incidents', '/api/status', '/report'], given),
  })
  return perRun({ quick: { every: 3 }, whole: asked }).map(
    ([path, headers]): StrangeRequest => [path, { headers }],
  )
}

const strangeParts = (): readonly StrangeRequest[] =>
  withVariablePart.flatMap((path) => strangeAddresses(path).map((address): StrangeRequest => [address]))

function strangeParameters(): readonly StrangeRequest[] {
  return readEndpoints.flatMap((endpoint, i) => {
    const address = withSegments(endpoint.path, '1')
    const accept = endpoint.path.startsWith('/api') ? 'application/json' : 'text/html'
    const declared = parametersOf(endpoint).flatMap((name, n) => {
      const odd = [0, 3, 5].map((step) => strange[(i + n + step) % strange.length]!)
      const values = perRun({ quick: odd.slice(0, 1), whole: [nextWord(), nextWord(), ...odd] })
      return values.map((value) => `${name}=${value.replace('%s', name)}`)
    })
    const others = perRun({ quick: i % 4 === 0, whole: true })
      ? [`notice=${nextWord()}`, `unknown=${nextWord()}`, `${nextWord()}=x`]
      : []
    return [...declared, ...others].map(
      (parameter): StrangeRequest => [`${address}?${parameter}`, { headers: { accept } }],
    )
  })
}

/** Words every object knows and other strange values, by where a request has them. */
export const strangeRequests: Record<string, () => readonly StrangeRequest[]> = {
  'a header': strangeHeaders,
  'a cookie or a key': strangeCredentials,
  'an address': strangeParts,
  'a parameter': strangeParameters,
}

/** Two files at once are all there may be. */
const isFile = ([path]: StrangeRequest) => path.startsWith('/api/export/')

/**
 * Sends all of it, ten at a time and then files one by one, and returns the statuses in this order.
 * Fails where an answer is no ordinary one.
 */
export async function sendStrange(
  house: House,
  who: Who,
  requests: readonly StrangeRequest[],
): Promise<number[]> {
  await forgetCounts()
  const others = requests.filter((each) => !isFile(each))
  const turns = [...Array(Math.ceil(others.length / 10)).keys()].map((i) => others.slice(i * 10, i * 10 + 10))
  const statuses: number[] = []
  for (const together of [...turns, ...requests.filter(isFile).map((each) => [each])]) {
    const answered = together.map(async ([path, asked]) => {
      const answer = await house.ask(who, path, asked)
      await expectOrdinary(answer, `${path} ${JSON.stringify(asked ?? {})} as ${who}`)
      return answer.status
    })
    statuses.push(...(await Promise.all(answered)))
  }
  return statuses
}
