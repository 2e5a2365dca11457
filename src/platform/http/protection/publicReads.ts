import type { IncomingMessage } from 'node:http'

/** What pages of every other site may read: public data, calendars, feeds and badges. */
const publicReads = [
  /^\/api\/(status|incidents|towers|units|openapi\.json|v2\/summary\.json)$/,
  /^\/api\/(assets|incidents)\/\d+$/,
  /^\/api\/photos\/./,
  /^\/(assets\/\d+\/)?(calendar\.ics|feed\.atom|badge\.svg)$/,
]

/**
 * The header that lets pages of other sites read an answer; none for a request with credentials.
 */
export function anyOriginHeaders({ method, url = '', headers }: IncomingMessage): Record<string, string> {
  if (method !== 'GET' && method !== 'HEAD') return {}
  if (headers.cookie !== undefined || headers.authorization !== undefined) return {}
  const [path = ''] = url.split('?')
  return publicReads.some((each) => each.test(path)) ? { 'Access-Control-Allow-Origin': '*' } : {}
}
