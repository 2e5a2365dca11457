import { DBError } from 'objection'
import { describe, expect, it } from 'vitest'
import { databaseAway, neverSent } from '../../../src/platform/process/databaseErrors.js'

describe('what the database or the way to it says', () => {
  const withCode = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
  const connecting = (code: string) => withCode(code, { syscall: 'connect' })
  const coded = (code: string, { away, unsent }: Meaning): Case => [code, withCode(code), away, unsent]
  const worded = (message: string, { away, unsent }: Meaning): Case => [
    message,
    new Error(message),
    away,
    unsent,
  ]

  const whileConnecting = (code: string): Case => [`${code} while connecting`, connecting(code), true, true]
  const later = (code: string): Case => [`${code} later`, withCode(code, { syscall: 'read' }), true, false]

  /**
   * What pg, pg-pool and the network say, whether the database is away then, and
   * whether nothing was sent.
   */
  const errors: Case[] = [
    coded('ECONNREFUSED', { away: true, unsent: true }),
    coded('ENOTFOUND', { away: true, unsent: true }),
    coded('EAI_AGAIN', { away: true, unsent: true }),
    coded('EADDRNOTAVAIL', { away: true, unsent: true }),
    whileConnecting('EHOSTUNREACH'),
    later('EHOSTUNREACH'),
    whileConnecting('ENETUNREACH'),
    later('ENETUNREACH'),
    whileConnecting('EHOSTDOWN'),
    later('EHOSTDOWN'),
    whileConnecting('ETIMEDOUT'),
    later('ETIMEDOUT'),
    whileConnecting('ECONNRESET'),
    later('ECONNRESET'),
    coded('EPIPE', { away: true, unsent: false }),
    coded('DEPTH_ZERO_SELF_SIGNED_CERT', { away: true, unsent: true }),
    coded('CERT_HAS_EXPIRED', { away: true, unsent: true }),
    coded('ERR_TLS_CERT_ALTNAME_INVALID', { away: true, unsent: true }),
    coded('53300', { away: true, unsent: true }),
    coded('53400', { away: true, unsent: true }),
    coded('57P03', { away: true, unsent: true }),
    coded('08006', { away: true, unsent: false }),
    coded('57P01', { away: true, unsent: false }),
    coded('57P02', { away: true, unsent: false }),
    coded('57014', { away: true, unsent: false }),
    coded('55P03', { away: true, unsent: false }),
    coded('25P03', { away: true, unsent: false }),
    coded('25006', { away: true, unsent: false }),
    worded('timeout exceeded when trying to connect', { away: true, unsent: true }),
    worded('timeout expired', { away: true, unsent: true }),
    worded('Connection terminated due to connection timeout', { away: true, unsent: true }),
    worded('The server does not support SSL connections', { away: true, unsent: true }),
    worded('Connection terminated unexpectedly', { away: true, unsent: false }),
    worded('Connection terminated', { away: true, unsent: false }),
    worded('Query read timeout', { away: true, unsent: false }),
    worded('Client has encountered a connection error and is not queryable', { away: true, unsent: false }),
    worded('Client was closed and is not queryable', { away: true, unsent: false }),
    coded('23505', { away: false, unsent: false }),
    coded('22P02', { away: false, unsent: false }),
    coded('42P01', { away: false, unsent: false }),
    coded('40001', { away: false, unsent: false }),
    coded('ENOENT', { away: false, unsent: false }),
    ['no error', null, false, false],
  ]

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
      const failure = Object.assign(error as Error, {
        message: `select "incidents".* from "incidents" - ${message}`,
      })
      expect([databaseAway(failure), neverSent(failure)]).toEqual([away, unsent])
      Object.assign(failure, { message })
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

type Meaning = { away: boolean; unsent: boolean }
type Case = [name: string, error: unknown, away: boolean, unsent: boolean]
