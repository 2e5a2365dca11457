import { describe, expect, it } from 'vitest'
import { networkOf, siteOf } from '../../src/vocabulary/people/network.js'

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:8080', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it.each([
    '',
    'unknown',
    '_hidden',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1.1',
    '0xC0000201',
    '3221225985',
    ':::',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '[::1',
    '::1]@evil',
    '127.0.0.1/8',
    '1'.repeat(10_000),
    '::1\r\nx: y',
    '\0',
  ])('%j has none', (address) => {
    expect(networkOf(address)).toBeNull()
  })
})

describe('a site', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:7:5::9', '2001:db8:7::/48'],
    ['::1', '0:0:0::/48'],
  ])('of %s is %s', (address, site) => {
    expect(siteOf(networkOf(address) ?? address)).toBe(site)
  })
})
