import { describe, expect, it } from 'vitest'
import { isPublicKey, newKeyPair, publicKeyOf } from '../../../src/platform/process/webPushKeys.js'

describe('keys of web push', () => {
  it('are pairs of 65 and 32 bytes, each another, however a number begins', () => {
    // One in 256 private keys begins with a zero, which must not be left out.
    const pairs = Array.from({ length: 600 }, newKeyPair)
    for (const { publicKey, privateKey } of pairs) {
      expect([publicKey.length, privateKey.length]).toEqual([87, 43])
      expect(publicKeyOf(privateKey)).toBe(publicKey)
    }
    expect(new Set(pairs.map(({ publicKey }) => publicKey)).size).toBe(600)
  })

  it.each([
    ['nothing', ''],
    ['a compressed point', Buffer.concat([Buffer.from([2]), Buffer.alloc(32, 7)]).toString('base64url')],
    [
      'a point beside the curve',
      Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url'),
    ],
    ['base64 with padding', `${newKeyPair().publicKey}=`],
    ['a key with a line break', `${newKeyPair().publicKey}\n`],
  ])('%s is no public key', (_what, text) => {
    expect(isPublicKey(text)).toBe(false)
  })
})
