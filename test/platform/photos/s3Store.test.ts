import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newPhotoPath } from '../../../src/platform/photos/photoPath.js'
import { s3Store } from '../../../src/platform/photos/s3Store.js'
import { type PhotoStore, StoreUnavailable } from '../../../src/platform/photos/store.js'
import { type Fault, faultyStore } from '../../support/photos/faultyStore.js'
import { type S3Server, s3SettingsAt, startS3 } from '../../support/photos/s3Server.js'
import { inWholeRun, itInWholeRun, perRun } from '../../support/run/extent.js'
import { listenOnFreePort } from '../../support/run/ports.js'
import { storeContract } from './contract.js'

storeContract('an object store', startStore, inWholeRun)

let s3: S3Server
let proxy: Awaited<ReturnType<typeof faultyStore>>
let store: PhotoStore

beforeAll(startFaultyStore)
afterAll(stopAll)
beforeEach(mendStore)

describe('an object store that is away', () => {
  const ways: [string, Fault, string][] = [
    ['breaks every connection', 'reset', 'ECONNRESET'],
    ['does not answer', 'hang', 'ETIMEDOUT'],
    ['loses every answer', 'lost', 'ECONNRESET'],
    ['answers 500', { status: 500, code: 'InternalError' }, 'InternalError'],
    ['asks to slow down', { status: 503, code: 'SlowDown' }, 'SlowDown'],
    ['finds our clock wrong', { status: 403, code: 'RequestTimeTooSkewed' }, 'RequestTimeTooSkewed'],
  ]
  it.each(perRun({ quick: { every: 5, from: 3 }, whole: ways }))(
    'because it %s fails every call, with the code for the log and no setting to blame',
    async (_way, fault, code) => {
      if (fault === 'hang') store = s3Store(s3SettingsAt(proxy.endpoint), haste)
      proxy.fail(fault)
      const failures = await Promise.all(
        Object.entries(calls).map(async ([name, call]) => [name, await failureOf(call())] as const),
      )
      for (const [name, { cause, refusal, message }] of failures) {
        // HEAD has no body, so no code comes with it.
        if (name !== 'digest') expect([name, cause.code, refusal]).toEqual([name, code, null])
        expect(message).not.toContain('127.0.0.1')
      }
      proxy.fail('none')
      store = s3Store(s3SettingsAt(proxy.endpoint), patience)
      expect((await buffer((await store.open(small))!.stream)).toString()).toBe('small')
    },
  )

  it('because nobody listens there fails every call at once', async () => {
    const gone = await faultyStore(s3.endpoint)
    await gone.stop()
    store = s3Store(s3SettingsAt(gone.endpoint), patience)
    for (const call of Object.values(calls)) expect((await failureOf(call())).cause.code).toBe('ECONNREFUSED')
  })

  it('is left alone for a moment after a call that found it so, and then asked again', async () => {
    store = s3Store(s3SettingsAt(proxy.endpoint), { ...patience, away: 60_000 })
    proxy.fail({ status: 500, code: 'InternalError' })
    await failureOf(store.open(small))
    const asked = proxy.asked().length
    for (const call of Object.values(calls))
      expect((await failureOf(call())).cause.code).toBe('InternalError')
    expect(proxy.asked()).toHaveLength(asked)
    store = s3Store(s3SettingsAt(proxy.endpoint), { ...patience, away: 1 })
    await failureOf(store.open(small))
    proxy.fail('none')
    await expect
      .poll(() =>
        store.open(small).then(
          (file) => file?.size,
          () => null,
        ),
      )
      .toBe(5)
  })

  it('for one try only is not away', async () => {
    for (const fault of ['reset', 'lost', { status: 500, code: 'InternalError' }] as Fault[]) {
      const path = newPhotoPath()
      proxy.fail(fault, { times: 1 })
      await store.put(path, Buffer.from('again'))
      expect(proxy.asked()).toHaveLength(2)
      expect((await buffer((await store.open(path))!.stream)).toString()).toBe('again')
      await store.remove(path)
    }
  })
})

describe('a copy that the store answers with 200 and an error in its body', () => {
  it.each(['InternalError', 'SlowDown'])(
    '(%s) fails the move, and the photo stays where it is',
    async (code) => {
      const path = newPhotoPath()
      await store.put(path, Buffer.from('the only one'))
      proxy.fail({ status: 200, code }, { only: /PUT/ })
      const { cause, refusal } = await failureOf(store.move(path, 'trash'))
      expect([cause.code, refusal]).toEqual([code, null])
      expect(proxy.asked().filter((asked) => asked.startsWith('DELETE'))).toEqual([])
      proxy.fail('none')
      expect((await buffer((await store.open(path))!.stream)).toString()).toBe('the only one')
    },
  )
})

describe('a photo on its way out of an object store', () => {
  it.each(['cut', 'stall'] as const)(
    'fails its reader when the answer is %s in the middle',
    async (fault) => {
      proxy.fail(fault, { only: new RegExp(`GET .*${large}`) })
      const { stream, size } = (await store.open(large))!
      expect(size).toBe(largeBytes.length)
      expect((await failureOf(buffer(stream))).cause).toBeDefined()
    },
  )

  itInWholeRun('is no failure of a reader who takes his time', async () => {
    const { stream } = (await store.open(large))!
    let got = 0
    for await (const chunk of stream) {
      if (got === 0)
        for (const until = performance.now() + 3 * patience.stall; performance.now() < until; )
          await setImmediate()
      got += chunk.length
    }
    expect(got).toBe(largeBytes.length)
  })

  it('that nobody reads any more ends there, too', async () => {
    proxy.fail('stall', { only: /GET/ })
    const { stream } = (await store.open(large))!
    const closed = once(stream, 'close')
    stream.destroy()
    await closed
    expect(stream.errored).toBeNull()
  })

  it('that nobody began to read harms nobody when it fails', async () => {
    proxy.fail('cut', { only: /GET/ })
    const { stream } = (await store.open(small))!
    await new Promise((resolve) => stream.once('close', resolve))
    expect(stream.errored).toBeInstanceOf(StoreUnavailable)
  })
})

describe('an object store that refuses us', () => {
  const refusals: [string, Fault, RegExp][] = [
    ['does not know the key', { status: 403, code: 'InvalidAccessKeyId' }, /^S3_ACCESS_KEY_ID: /],
    ['finds the secret wrong', { status: 403, code: 'SignatureDoesNotMatch' }, /^S3_SECRET_ACCESS_KEY: /],
    ['has no such bucket', { status: 404, code: 'NoSuchBucket' }, /^S3_BUCKET: /],
    ['has the bucket elsewhere', { status: 301, code: 'PermanentRedirect' }, /^S3_REGION: /],
    ['is another region', { status: 400, code: 'AuthorizationHeaderMalformed' }, /^S3_REGION: /],
    [
      'lets the key do nothing',
      { status: 403, code: 'AccessDenied' },
      /^S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: /,
    ],
    ['is no object store', { status: 405, code: 'MethodNotAllowed' }, /^S3_ENDPOINT, S3_BUCKET: /],
  ]
  it.each(refusals)('because it %s names the setting, and never its value', async (_way, fault, words) => {
    proxy.fail(fault)
    const { refusal } = await failureOf(store.check())
    expect(refusal).toMatch(words)
    expect(refusal).not.toContain(s3.settings.accessKeyId)
  })

  it('finds a signature by another secret wrong', async () => {
    const other = s3Store(s3SettingsAt(s3.endpoint, { secretAccessKey: 'another secret' }), patience)
    expect((await failureOf(other.check())).refusal).toMatch(/^S3_SECRET_ACCESS_KEY: /)
  })

  it('is told from one that has no photo', async () => {
    expect(await store.open(newPhotoPath())).toBeNull()
    const noBucket = s3Store(s3SettingsAt(s3.endpoint, { bucket: 'no-such-bucket' }), patience)
    expect((await failureOf(noBucket.open(small))).refusal).toMatch(/^S3_BUCKET/)
    expect(
      (await failureOf(s3Store(s3SettingsAt(s3.endpoint, { accessKeyId: 'NOBODY' }), patience).check()))
        .refusal,
    ).toMatch(/^S3_ACCESS_KEY_ID/)
  })
})

it('a photo whose store answers late or never is there once, and a second try makes no second object', async () => {
  // Keeps what it is given, by key, and answers late the first time and never after that.
  const kept = new Map<string, string>()
  let puts = 0
  const slow = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'PUT') kept.set(request.url!, body)
    if (request.method === 'DELETE') kept.delete(request.url!)
    if (++puts === 1) setTimeout(() => response.end(), 400)
  })
  const { origin, stop } = await listenOnFreePort(slow)
  const hurried = s3Store(s3SettingsAt(origin), { ...patience, call: 500, oneTry: 200 })
  const path = newPhotoPath()
  await failureOf(hurried.put(path, Buffer.from('photo')))
  expect(puts).toBe(2)
  expect([...kept.values()]).toEqual(['photo'])
  // What a refused report leaves is taken away, though the store does not say so.
  await failureOf(hurried.remove(path))
  expect([...kept.values()]).toEqual([])
  await stop()
})

/** A store for the contract that every store keeps. */
async function startStore() {
  const server = await startS3()
  return {
    again: () => s3Store(server.settings),
    age: (path: string, ms: number, area: string) => server.age(`${area}/${path}`, ms),
    stop: server.stop,
  }
}

/** A store with two photos in it, behind a proxy that can fail. */
async function startFaultyStore(): Promise<void> {
  s3 = await startS3()
  proxy = await faultyStore(s3.endpoint)
  const whole = s3Store(s3.settings)
  await whole.put(small, Buffer.from('small'))
  await whole.put(large, largeBytes)
}

async function stopAll(): Promise<void> {
  await proxy.stop()
  await s3.stop()
}

function mendStore(): void {
  proxy.fail('none')
  store = s3Store(s3SettingsAt(proxy.endpoint), patience)
}

/** Stored before anything fails. */
const [small, large] = [newPhotoPath(), newPhotoPath()]

const largeBytes = Buffer.alloc(4_000_000, 'photo')

/** Long enough for a busy machine to answer in. */
const patience = { call: 60_000, oneTry: 30_000, away: 0, stall: 400 }

/** Short enough to wait for where nothing answers. */
const haste = { ...patience, call: 3_000, oneTry: 1_000 }

async function failureOf(asked: Promise<unknown>): Promise<StoreUnavailable & { cause: { code?: string } }> {
  const error = await asked.then(
    (result) => new Error(`it succeeded with ${result}`),
    (error) => error,
  )
  expect(error).toBeInstanceOf(StoreUnavailable)
  return error
}

async function first<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const one of all) return one
  return undefined
}

const calls: Record<string, () => Promise<unknown>> = {
  put: () => store.put(newPhotoPath(), Buffer.from('x')),
  open: () => store.open(small),
  digest: () => store.digest(small),
  remove: () => store.remove(newPhotoPath()),
  move: () => store.move(small, 'trash'),
  list: () => first(store.list('photos')),
  check: () => store.check(),
  owner: () => store.owner(),
  claim: () => store.claim('3f9a0123-0000-4000-8000-000000000000', true),
}
