import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AddressPolicy,
  loopback,
  mayDial,
  networksFrom,
} from '../../../src/platform/net/addressPolicy.js'
import { tableOf } from '../../support/tables.js'

const closedV4 = tableOf<ClosedNetwork>('closedNetworks')
const addresses = tableOf<OutboundAddress>('outboundAddresses')
const addressesThatAre = (wanted: OutboundAddress['kind']) =>
  addresses.filter(({ kind }) => kind === wanted).map(({ address }) => address)

describe('in production', () => {
  it.each(closedV4)(
    '$network is refused from its first to its last address, and no further',
    ({ first, last, publicBefore, publicAfter }) => {
      for (const address of [first, last]) {
        expect(may(address), address).toBe(false)
        for (const mapped of spellings(address)) expect(may(mapped), mapped).toBe(false)
      }
      for (const neighbour of [publicBefore, publicAfter])
        if (neighbour) expect(may(neighbour), neighbour).toBe(true)
    },
  )

  it.each(addressesThatAre('closed'))('%s is refused', (address) => {
    expect(may(address)).toBe(false)
  })

  it.each(addressesThatAre('no address'))('%j is refused: it is no address', (text) => {
    expect(may(text)).toBe(false)
    expect(may(text, policyWith('0.0.0.0/0', '::/0'))).toBe(false)
  })

  it.each(addressesThatAre('open'))('%s is allowed', (address) => {
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
    for (const { network, first, last } of closedV4.filter(({ network }) => network !== 'loopback'))
      for (const address of [first, last]) expect(may(address, embedded), network).toBe(false)
    for (const address of addressesThatAre('closed').filter(
      (each) => !['::1', '0:0:0:0:0:0:0:1'].includes(each),
    ))
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

  it.each(addressesThatAre('never open'))(
    'does not open %s, even when it names the whole internet',
    (address) => {
      expect(may(address, policyWith('0.0.0.0/0', '::/0'))).toBe(false)
    },
  )

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

  it.each(addressesThatAre('no network'))('is refused when it holds %j', (text) => {
    expect(() => networksFrom(['10.0.0.0/8', text])).toThrow('not a network')
  })
})

const policyWith = (...networks: string[]): AddressPolicy => ({
  networks: networksFrom(networks),
  closedPorts: new Set([3000, 5432]),
})

const production = policyWith()
const embedded: AddressPolicy = { ...production, networks: loopback }
const may = (address: string, policy = production, port = 443) => mayDial(address, port, policy)

/**
 * A network that no one on the public internet answers from: its first and last address, and the
 * public addresses beside it, null where there is none.
 */
type ClosedNetwork = {
  network: string
  first: string
  last: string
  publicBefore: string | null
  publicAfter: string | null
}

/**
 * An address, or a text that looks like one, and whether it may be dialled: one that is never open
 * is not opened by an operator's list of networks either, and `no network` may not stand on it.
 */
type OutboundAddress = {
  address: string
  kind: 'open' | 'closed' | 'never open' | 'no address' | 'no network'
}

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
