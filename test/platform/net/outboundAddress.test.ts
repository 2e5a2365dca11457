import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AddressPolicy,
  loopback,
  mayDial,
  networksFrom,
} from '../../../src/platform/net/addressPolicy.js'

const policyWith = (...networks: string[]): AddressPolicy => ({
  networks: networksFrom(networks),
  closedPorts: new Set([3000, 5432]),
})
const production = policyWith()
const embedded: AddressPolicy = { ...production, networks: loopback }
const may = (address: string, policy = production, port = 443) => mayDial(address, port, policy)

/**
 * Networks nobody on the public internet answers from: first and last address, and the
 * public neighbours if any.
 */
const closedV4: [
  network: string,
  first: string,
  last: string,
  before: string | null,
  after: string | null,
][] = [
  ['this network', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['private 10/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private 172.16/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation 1', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['AS112', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['AMT', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private 192.168/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['direct AS112', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation 2', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation 3', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255', null, null],
]

const closedV6 = [
  '::',
  '::1',
  '::2',
  '::7f00:1',
  '::127.0.0.1',
  '::10.0.0.1',
  '0:0:0:0:0:0:0:1',
  '100::1',
  '100:0:0:1::1',
  '200::1',
  '1fff:ffff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'e000::1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '::ffff:0:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2002::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2002:a00:1::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
]

const notAddresses = [
  '',
  ' ',
  'localhost',
  'receiver.example',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '8.8.8.8 ',
  '8.8.8',
  '8.8.8.8.8',
  '256.8.8.8',
  '[::1]',
  '2606:4700::1111%1',
  ':::',
  '2606:4700',
  '8.8.8.8:80',
  '8.8.8.8/32',
]

const openV4 = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '203.0.114.1', '223.255.255.255']
const openV6 = [
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '2001:200::1',
  '2003::1',
  '2620:4e::1',
  '3ffe::1',
  '3fff:1000::1',
]

/** Every way to write the same address. */
const spellings = (v4: string) => {
  const hex = v4.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  const groups = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
  return [
    `::ffff:${v4}`,
    `::FFFF:${v4}`,
    `::ffff:${groups}`,
    `0:0:0:0:0:ffff:${groups}`,
    `0000:0000:0000:0000:0000:ffff:${v4}`,
  ]
}

describe('in production', () => {
  it.each(closedV4)(
    '%s is refused from its first to its last address, and no further',
    (_name, first, last, before, after) => {
      for (const address of [first, last]) {
        expect(may(address), address).toBe(false)
        for (const mapped of spellings(address)) expect(may(mapped), mapped).toBe(false)
      }
      for (const neighbour of [before, after]) if (neighbour) expect(may(neighbour), neighbour).toBe(true)
    },
  )

  it.each(closedV6)('%s is refused', (address) => {
    expect(may(address)).toBe(false)
  })

  it.each(notAddresses)('%j is refused: it is no address', (text) => {
    expect(may(text)).toBe(false)
    expect(may(text, policyWith('0.0.0.0/0', '::/0'))).toBe(false)
  })

  it.each([...openV4, ...openV6])('%s is allowed', (address) => {
    expect(may(address)).toBe(true)
  })

  it('an IPv4 address is judged the same however it is written', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        for (const mapped of spellings(address)) expect(may(mapped), mapped).toBe(may(address))
      }),
    )
  })

  it('our own port and the database’s are somebody else’s out there', () => {
    expect(may('8.8.8.8', production, 5432)).toBe(true)
  })
})

describe('the embedded default', () => {
  it.each(['127.0.0.1', '127.0.0.53', '127.255.255.254', '::1', '::ffff:127.0.0.1'])(
    'allows %s',
    (address) => {
      expect(may(address, embedded, 8080)).toBe(true)
    },
  )

  it('still refuses every other network', () => {
    for (const [name, ...ends] of closedV4.filter(([name]) => name !== 'loopback'))
      for (const address of ends.slice(0, 2)) expect(may(address!, embedded), name).toBe(false)
    for (const address of closedV6.filter((each) => !['::1', '0:0:0:0:0:0:0:1'].includes(each)))
      expect(may(address, embedded), address).toBe(false)
  })

  it.each([3000, 5432])('keeps port %s closed on this machine', (port) => {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
      expect(may(address, embedded, port), address).toBe(false)
  })
})

describe('an operator’s list of networks', () => {
  it('opens what it names and nothing beside', () => {
    const policy = policyWith('10.1.0.0/16', 'fd12::/32', '192.168.7.9')
    for (const open of ['10.1.0.1', '10.1.255.255', 'fd12::5', '192.168.7.9', '::ffff:10.1.2.3', '8.8.8.8'])
      expect(may(open, policy), open).toBe(true)
    for (const closed of [
      '10.0.255.255',
      '10.2.0.0',
      'fd12:1::5',
      '192.168.7.8',
      '192.168.7.10',
      '127.0.0.1',
      '::1',
    ])
      expect(may(closed, policy), closed).toBe(false)
  })

  it.each([
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fe80::1',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '::ffff:169.254.169.254',
  ])('does not open %s, even when it names the whole internet', (address) => {
    expect(may(address, policyWith('0.0.0.0/0', '::/0'))).toBe(false)
  })

  it('opens the networks of one family and none of the other', () => {
    for (const v4 of ['10.0.0.1', '::ffff:10.0.0.1', '::ffff:a00:1']) {
      expect(may(v4, policyWith('0.0.0.0/0')), v4).toBe(true)
      for (const network of ['::/0', '::ffff:0:0/96', '::ffff:10.0.0.1'])
        expect(may(v4, policyWith(network)), `${v4} by ${network}`).toBe(false)
    }
    for (const v6 of ['fd00::1', '64:ff9b::10.0.0.1', '::10.0.0.1', '2002:a00:1::']) {
      expect(may(v6, policyWith('0.0.0.0/0')), v6).toBe(false)
      expect(may(v6, policyWith('::/0')), v6).toBe(true)
    }
  })

  it('leaves our own ports closed', () => {
    const policy = policyWith('10.0.0.0/8')
    expect(may('10.0.0.1', policy, 5432)).toBe(false)
    expect(may('10.0.0.1', policy, 3000)).toBe(false)
    expect(may('10.0.0.1', policy, 8443)).toBe(true)
  })

  it.each([
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    'fe80::1%eth0/64',
    'receiver.example',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '*',
  ])('is refused when it holds %j', (text) => {
    expect(() => networksFrom(['10.0.0.0/8', text])).toThrow('not a network')
  })
})
