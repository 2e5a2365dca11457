import { describe, expect, it } from 'vitest'
import { networkOf, siteOf } from '../../src/vocabulary/people/network.js'
import { tableOf } from '../support/tables.js'

/** An address as a request gives it, its network, null where it is no address, and its site. */
type Network = { address: string; network: string | null; site?: string }
const rows = tableOf<Network>('networks')

describe('the network of an address', () => {
  it.each(rows)('$address is in $network', ({ address, network }) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is none of a text that is longer than any address', () => {
    expect(networkOf('1'.repeat(10_000))).toBeNull()
  })
})

describe('a site', () => {
  it.each(rows.filter(({ site }) => site !== undefined))('of $address is $site', ({ address, site }) => {
    expect(siteOf(networkOf(address) ?? address)).toBe(site)
  })
})
