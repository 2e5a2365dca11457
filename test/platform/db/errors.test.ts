import { DBError } from 'objection'
import { describe, expect, it } from 'vitest'
import { databaseAway, neverSent } from '../../../src/platform/db/databaseErrors.js'

const withCode = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
const connecting = (code: string) => withCode(code, { syscall: 'connect' })

/** What pg, pg-pool and the network say, whether the database is away then, and whether nothing was sent. */
const errors: [name: string, error: unknown, away: boolean, unsent: boolean][] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'].map(
    (code): [string, Error, boolean, boolean] => [code, withCode(code), true, true],
  ),
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ETIMEDOUT', 'ECONNRESET'].flatMap(
    (code): [string, Error, boolean, boolean][] => [
      [`${code} while connecting`, connecting(code), true, true],
      [`${code} later`, withCode(code, { syscall: 'read' }), true, false],
    ],
  ),
  ['EPIPE', withCode('EPIPE'), true, false],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
    (code): [string, Error, boolean, boolean] => [code, withCode(code), true, true],
  ),
  ...['53300', '53400', '57P03'].map((code): [string, Error, boolean, boolean] => [
    code,
    withCode(code),
    true,
    true,
  ]),
  ...['08006', '57P01', '57P02', '57014', '55P03', '25P03', '25006'].map(
    (code): [string, Error, boolean, boolean] => [code, withCode(code), true, false],
  ),
  ...[
    'timeout exceeded when trying to connect',
    'Connection terminated due to connection timeout',
    'The server does not support SSL connections',
  ].map((message): [string, Error, boolean, boolean] => [message, new Error(message), true, true]),
  ...[
    'Connection terminated unexpectedly',
    'Connection terminated',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ].map((message): [string, Error, boolean, boolean] => [message, new Error(message), true, false]),
  ...['23505', '22P02', '42P01', '40001', 'ENOENT'].map((code): [string, Error, boolean, boolean] => [
    code,
    withCode(code),
    false,
    false,
  ]),
  ['no error', null, false, false],
]

describe('what the database or the way to it says', () => {
  it.each(errors)('%s', (_name, error, away, unsent) => {
    expect([databaseAway(error), neverSent(error)]).toEqual([away, unsent])
  })

  it.each(errors.slice(0, -1))('%s, wrapped', (_name, error, away, unsent) => {
    const wrapped = new DBError({ nativeError: error as Error, client: 'postgres' } as never)
    expect([databaseAway(wrapped), neverSent(wrapped)]).toEqual([away, unsent])
  })

  it.each(errors.slice(0, -1))(
    '%s, with the statement the query builder puts before it',
    (_name, error, away, unsent) => {
      const { message } = error as Error
      const told = Object.assign(error as Error, {
        message: `select "incidents".* from "incidents" - ${message}`,
      })
      expect([databaseAway(told), neverSent(told)]).toEqual([away, unsent])
      Object.assign(told, { message })
    },
  )

  it('is of each address of a name that has several', () => {
    const all = (...codes: string[]) =>
      Object.assign(new AggregateError(codes.map(connecting)), { code: codes[0] })
    expect(databaseAway(all('EHOSTUNREACH', 'ECONNREFUSED'))).toBe(true)
    expect(neverSent(all('EHOSTUNREACH', 'ECONNREFUSED'))).toBe(true)
    const one = new AggregateError([connecting('EHOSTUNREACH'), withCode('ECONNRESET')])
    expect(neverSent(one)).toBe(false)
  })
})
