import { expect } from 'vitest'
import { securityHeaders } from '../../../../src/platform/http/protection/securityHeaders.js'
import { foreignHost } from './foreignHost.js'

/**
 * What must hold for every answer of the product: what is wrong with this one to a
 * request for `path`, in words.
 */
type AnswerAssertion = (answer: Response, text: string, path: string) => string[]

/** What only a fault of ours would print. */
const printed = /native code|\[object |\bundefined\b|\bNaN\b/

const isOurs: AnswerAssertion = ({ status }, text) => {
  const found = printed.exec(text)?.[0]
  return [
    ...(status >= 500 || status === 429 ? [`the status is ${status}`] : []),
    ...(found ? [`prints ${found}`] : []),
  ]
}

/** These may be stricter on some pages, so they are compared by their beginning. */
const atLeast: Record<string, RegExp> = {
  'Content-Security-Policy': /^default-src 'none'/,
  'Referrer-Policy': /^(same-origin|no-referrer)$/,
}

/** Files that other sites may show: feeds, calendars, badges. */
const openToOthers = { 'Cross-Origin-Resource-Policy': 'cross-origin' }
const shared = /\/(feed\.atom|calendar\.ics|badge\.svg|summary\.json)\b/

const hasSecurityHeaders: AnswerAssertion = (answer, _text, path) => {
  const value = (name: string) => answer.headers.get(name) ?? ''
  const isShared = shared.test(path) && answer.status === 200
  const expected = isShared ? { ...securityHeaders, ...openToOthers } : securityHeaders
  const wrong = Object.entries(expected)
    .filter(([name, wanted]) => !(atLeast[name]?.test(value(name)) ?? value(name) === wanted))
    .map(([name]) => `${name}: ${value(name)}`)
  if (!/^[\w.-]{8,64}$/.test(value('x-request-id'))) wrong.push(`x-request-id: ${value('x-request-id')}`)
  return wrong
}

const namesNoForeignHost: AnswerAssertion = (answer, text) =>
  [...answer.headers.values(), text].some((each) => each.includes(foreignHost))
    ? [`names the host ${foreignHost}`]
    : []

/** The assertions on every answer, by the name a failure shows. */
const assertions: Record<string, AnswerAssertion> = {
  'an answer of ours': isOurs,
  'security headers': hasSecurityHeaders,
  'no foreign host': namesNoForeignHost,
}

/** What is wrong with an answer, each with the name of its assertion. */
export const answerFaults: AnswerAssertion = (answer, text, path) =>
  Object.entries(assertions).flatMap(([name, assertion]) =>
    assertion(answer, text, path).map((fault) => `${name}: ${fault}`),
  )

/** Fails unless every assertion on answers holds. */
export async function expectOrdinary(answer: Response, path: string): Promise<void> {
  expect(answerFaults(answer, await answer.text(), path), path).toEqual([])
}

/** Fails unless an answer carries every security header and the id of its request. */
export function expectHeaders(answer: Response, path: string): void {
  expect(hasSecurityHeaders(answer, '', path), path).toEqual([])
}
