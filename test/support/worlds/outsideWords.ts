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

/** Fails unless an answer carries every security header and its request's id. */
export function expectHeaders(answer: Response, what: string): void {
  expect(answer.headers.get('x-request-id'), what).toMatch(/^[\w.-]{8,64}$/)
  for (const [name, value] of Object.entries(securityHeaders)) {
    const given = answer.headers.get(name) ?? ''
    expect(atLeast[name]?.test(given) ?? given === value, `${what}: ${name}: ${given}`).toBe(true)
  }
}
