import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { config } from '../../../src/platform/process/config.js'
import { newKeyPair } from '../../../src/platform/process/webPushKeys.js'

/** The keys of this process's building. */
export const serverKeys = newKeyPair()

/** Browsers get push messages in the tests of this file. */
export function configureWebPush(): void {
  beforeAll(() => {
    config.webPush = { ...serverKeys, subject: 'mailto:office@building.example' }
  })
  afterAll(() => {
    config.webPush = null
  })
}

/** What a browser keeps of its subscription: the address of its push service, and its own keys. */
export type TestBrowser = { endpoint: string; keys: ECDH; secret: Buffer }

let made = 0

/**
 * A browser that has subscribed at its push service; the address is a public
 * one that no test reaches.
 */
export function newBrowser(endpoint = `https://8.8.8.8/push/${++made}`): TestBrowser {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return { endpoint, keys, secret: randomBytes(16) }
}

/** What its page sends to us. */
export const subscriptionOf = (
  { endpoint, keys, secret }: TestBrowser,
  serverKey = serverKeys.publicKey,
) => ({
  endpoint,
  p256dh: keys.getPublicKey('base64url'),
  auth: secret.toString('base64url'),
  serverKey,
})

/**
 * What the browser reads in the body of a push (RFC 8291). Throws when it was
 * encrypted for somebody else.
 */
export function decrypted({ keys, secret }: TestBrowser, body: Buffer): Record<string, unknown> {
  const salt = body.subarray(0, 16)
  const theirs = body.subarray(21, 21 + body[20]!)
  const sealed = body.subarray(21 + body[20]!)
  const derived = (key: Uint8Array, by: Uint8Array, info: Uint8Array, size: number) =>
    Buffer.from(hkdfSync('sha256', key, by, info, size))
  const said = (what: string) => Buffer.from(`Content-Encoding: ${what}\0`)
  const both = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), theirs])
  const shared = derived(keys.computeSecret(theirs), secret, both, 32)
  const key = derived(shared, salt, said('aes128gcm'), 16)
  const nonce = derived(shared, salt, said('nonce'), 12)
  const open = createDecipheriv('aes-128-gcm', key, nonce)
  open.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()])
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
}

/**
 * The claims of a request's signature (RFC 8292). Throws when it is not that of the key it names.
 */
export function claimsOf(authorization: string): { key: string; aud: string; exp: number; sub: string } {
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization)!
  const [header, claims, signature] = token!.split('.')
  const point = Buffer.from(key!, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const given = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), given, Buffer.from(signature!, 'base64url')))
    throw new Error('signed by somebody else')
  return { key: key!, ...JSON.parse(Buffer.from(claims!, 'base64url').toString()) }
}
