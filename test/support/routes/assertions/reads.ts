import { load } from 'cheerio'
import { decideAccess, type Role, roles } from '../../../../src/vocabulary/people/permissions.js'
import type { Who } from '../../house/asking.js'
import { readEndpoints } from '../endpoints.js'
import type { Read } from '../reads.js'
import { answerFaults } from './answers.js'

/** The answer to a read. `names`: of everyone who has an account. */
export type Answered = Read & { who: Who; accept: string; answer: Response; text: string; names: string[] }

/** What must hold for every read: what is wrong with this answer, in words. */
type ReadAssertion = (answered: Answered) => string[]

/**
 * What may stay in the browser of someone with an account, because everyone
 * gets the very same bytes.
 */
const sameForEveryone = [
  '/api/photos/{*path}',
  '/api/status',
  '/api/openapi.json',
  '/live',
  '/security.txt',
  '/.well-known/security.txt',
  '/feed.atom',
  '/assets/:id/feed.atom',
  '/calendar.ics',
  '/assets/:id/calendar.ics',
  '/badge.svg',
  '/assets/:id/badge.svg',
  '/api/v2/summary.json',
]

/** What search engines may list, of all that guests can read. */
const listed = ['/', '/live', '/api/status', '/history', '/api/history', '/assets/:id']

const hasAccount = (who: Who) => who === 'mobile' || roles.includes(who as Role)

const staysOutOfCaches: ReadAssertion = ({ route, who, accept, answer }) => {
  const cache = answer.headers.get('cache-control') ?? 'none'
  // A client that asks for JSON at the address of the status page gets what /api/status says.
  const isStatus = route === '/' && accept === 'application/json'
  const mayStay = answer.status === 200 && (isStatus || sameForEveryone.includes(route))
  const isPrivate = hasAccount(who)
    ? mayStay || cache === 'private, no-store'
    : who === 'guest' || listed.includes(route) || cache.includes('no-store')
  return isPrivate ? [] : [`${answer.status} ${cache}`]
}

const staysOutOfSearchEngines: ReadAssertion = ({ route, answer, text }) => {
  const expected = answer.status < 300 && [...listed, '/report'].includes(route) ? null : 'noindex'
  const robots = answer.headers.get('x-robots-tag')
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') && text.includes('<html')
  const onPage = isPage ? (load(text)('meta[name="robots"]').attr('content') ?? null) : robots
  return robots === expected && onPage === robots ? [] : [`${answer.status} ${robots}, on the page ${onPage}`]
}

/** Where search engines may look they find nobody's name. */
const listsNobody: ReadAssertion = ({ who, answer, text, names }) =>
  who === 'guest' && answer.headers.get('x-robots-tag') === null && !text.startsWith('{')
    ? names.filter((name) => text.includes(name))
    : []

/** The routes with a page and an API address: either answers as it is asked. */
const patterns = readEndpoints.map(({ path }) => path)
const inTwoKinds = patterns.filter((path) =>
  [`/api${path}`, path.replace('/api', '')].some((other) => other !== path && patterns.includes(other)),
)

/** Whether a route answers a browser with a page and a client with JSON at the same address. */
export const isInTwoKinds = ({ route }: Read) => inTwoKinds.includes(route)

const isAsAsked: ReadAssertion = ({ accept, answer, ...read }) => {
  const type = answer.headers.get('content-type') ?? 'none'
  return answer.status !== 200 || !isInTwoKinds(read) || type === `${accept}; charset=utf-8` ? [] : [type]
}

/** What something that does not exist is answered with where that is no 404, and why. */
const answersToUnknown: Record<string, { status: number; why: string }> = {
  '/admin/maintenance/:id/move': { status: 400, why: 'the address names no date' },
}

const isNotFound: ReadAssertion = ({ who, route, permission, isMissing, answer }) => {
  if (!isMissing) return []
  if (decideAccess(who, permission!) !== 'allowed') return []
  const expected = answersToUnknown[route]?.status ?? 404
  return answer.status === expected ? [] : [`the status is ${answer.status}`]
}

const assertions: Record<string, ReadAssertion> = {
  'unknown id': isNotFound,
  'as asked': isAsAsked,
  caches: staysOutOfCaches,
  'search engines': staysOutOfSearchEngines,
  names: listsNobody,
}

/** What is wrong with the answer to a read, each with its address and the name of its assertion. */
export function readFaults(answered: Answered): string[] {
  const { who, address, answer, text } = answered
  const own = Object.entries(assertions).flatMap(([name, assertion]) =>
    assertion(answered).map((fault) => `${name}: ${fault}`),
  )
  return [...answerFaults(answer, text, address), ...own].map((fault) => `${address} as ${who}: ${fault}`)
}
