import { expect } from 'vitest'
import { securityHeaders } from '../../../src/web/protection/securityHeaders.js'

/** Names that every object answers to, whatever its table holds. */
export const outsideWords = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  'isPrototypeOf',
  '__defineGetter__',
]

/** What only a fault of ours would print. */
const printed = /native code|\[object |\bundefined\b|\bNaN\b/

/** Fails unless an answer is one we meant: no fault of ours, with the headers of every answer, and nothing leaked. */
export async function expectOrdinary(answer: Response, what: string): Promise<void> {
  expect(answer.status, what).toBeLessThan(500)
  expectHeaders(answer, what)
  expect(printed.exec(await answer.text())?.[0], what).toBeUndefined()
}

/** These may be stricter on some pages, so they are compared by what they begin with. */
const atLeast: Record<string, RegExp> = {
  'Content-Security-Policy': /^default-src 'none'/,
  'Referrer-Policy': /^(same-origin|no-referrer)$/,
}

/** Files that other sites may show: feeds, calendars, badges. */
const openToOthers = { 'Cross-Origin-Resource-Policy': 'cross-origin' }
const shared = /\/(feed\.atom|calendar\.ics|badge\.svg|summary\.json)\b/

/** Fails unless an answer carries every security header and its request's id. One expectation: it is asked thousands of times. */
export function expectHeaders(answer: Response, what: string): void {
  const given = (name: string) => answer.headers.get(name) ?? ''
  const expected =
    shared.test(what) && answer.status < 400 ? { ...securityHeaders, ...openToOthers } : securityHeaders
  const wrong = Object.entries(expected)
    .filter(([name, value]) => !(atLeast[name]?.test(given(name)) ?? given(name) === value))
    .map(([name]) => `${name}: ${given(name)}`)
  if (!/^[\w.-]{8,64}$/.test(given('x-request-id'))) wrong.push(`x-request-id: ${given('x-request-id')}`)
  expect(wrong, what).toEqual([])
}
