import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { Router } from '@koa/router'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../../src/app/app.js'
import type { State } from '../../../../src/platform/http/context.js'
import { en, texts } from '../../../../src/text/index.js'
import { checkout } from '../../../support/compiled.js'
import type { Who } from '../../../support/house/asking.js'
import { useHouse } from '../../../support/house/house.js'
import { expectHeaders } from '../../../support/routes/assertions/answers.js'
import { listenOnFreePort } from '../../../support/run/ports.js'

const house = useHouse()

const faults: Record<string, () => void> = {
  'the database': failDatabase,
  'the session store': () => failQueries(/from sessions/),
  'the catalogue': () => breaks(texts, 'en'),
  'the texts of errors': () => breaks(en, 'problems'),
  everything: failEverything,
}

afterEach(mendAll)

describe.each(Object.keys(faults))('with %s broken', (what) => {
  it.each(['guest', 'resident', 'mobile'] satisfies Who[])(
    'every answer to %s is one of ours and tells nothing of the inside',
    async (who) => {
      await house.ask(who, '/api/status')
      faults[what]!()
      let failed = 0
      for (const path of [...paths, ...apiPaths])
        for (const accept of ['text/html', 'application/json', '*/*']) {
          const answer = await house.ask(who, path, { headers: { accept } })
          const text = await answer.text()
          expectHeaders(answer, `${path} for ${accept}`)
          expect(text).not.toMatch(new RegExp(`${secret}|TypeError|\\bat .*\\.(ts|js)|${checkout}`))
          if (answer.status < 500) continue
          failed++
          expect(answer.headers.get('cache-control')).toBe('no-store')
          if (accept === 'application/json') {
            expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
            expect(JSON.parse(text)).toMatchObject({
              status: answer.status,
              title: expect.stringMatching(/./),
              requestId: answer.headers.get('x-request-id'),
            })
          } else expect(text.length).toBeGreaterThan(40)
        }
      if (what !== 'the session store' || who === 'resident') expect(failed).toBeGreaterThan(0)
    },
  )
})

describe('what fails while an answer is written', () => {
  let server: Awaited<ReturnType<typeof listenOnFreePort>>

  beforeAll(async () => {
    const router = new Router<State>()
    router.get('/unwritable', (ctx) => {
      ctx.set('Set-Cookie', 'half=done')
      ctx.body = {
        toJSON() {
          throw new Error(secret)
        },
      }
    })
    router.get('/later', (ctx) => {
      ctx.type = 'text'
      ctx.body = new Readable({
        read() {
          this.push('begun')
          setTimeout(() => this.destroy(new Error(secret)), 20)
        },
      })
    })
    server = await listenOnFreePort(createServer(createApp(router).callback()))
  })
  afterAll(() => server.stop())

  it('is told with the headers of any other answer, and nothing of the one begun', async () => {
    const answer = await fetch(`${server.origin}/unwritable`)
    expect(answer.status).toBe(500)
    expectHeaders(answer, '/unwritable')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await answer.text()).not.toContain(secret)
  })

  it('ends an answer that has begun, which is never taken for a whole one', async () => {
    const answer = await fetch(`${server.origin}/later`)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })
})

const plain = { texts: Object.getOwnPropertyDescriptor(texts, 'en')!, problems: en.problems }

/** Makes reading this of an object fail. */
function breaks(target: object, name: string): void {
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    get() {
      throw new TypeError(secret)
    },
  })
}

/** Makes the database fail when it is asked something like this. */
function failQueries(like = /./): void {
  const { query } = pg.Client.prototype
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | pg.QueryConfig]
    if (like.test(typeof asked === 'string' ? asked : asked.text)) throw new TypeError(secret)
    return query.apply(this, given as never) as never
  })
}

function failDatabase(): void {
  failQueries()
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(() => {
    throw new TypeError(secret)
  })
}

const paths = ['/', '/live', '/incidents', '/sign-in', '/admin', '/nowhere', '/static/none.css']
const apiPaths = ['/api/status', '/api/incidents', '/api/incidents/1', '/api/nowhere', '/api/admin/users']

function mendAll(): void {
  vi.restoreAllMocks()
  Object.defineProperty(texts, 'en', plain.texts)
  Object.defineProperty(en, 'problems', {
    value: plain.problems,
    configurable: true,
    writable: true,
    enumerable: true,
  })
}

function failEverything(): void {
  failDatabase()
  breaks(texts, 'en')
}

const secret = 'secret-of-the-inside'
