const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const v4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

/**
 * The network of an address: the IPv4 address itself (also when mapped into IPv6), or the /64 of an
 * IPv6 address, which one customer gets whole. Accepts port, brackets and zone; else null (decision
 * 1.6).
 */
export function networkOf(address: string): string | null {
  const bare = bareAddress(address)
  if (v4.test(bare)) return bare
  const groups = groupsOf(bare)
  if (!groups) return null
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (mapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/**
 * The site of a network: the /48 of an IPv6 one (anyone can rent a /48), else the same. Budgets
 * that strangers share count by it (decision 9.10).
 */
export function siteOf(network: string): string {
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
}

/** Strips port, brackets and zone: `[2001:db8::1]:443`, `192.0.2.1:5000`, `fe80::1%eth0`. */
function bareAddress(address: string): string {
  const text = address.slice(0, 100).trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const withoutPort = /^([\d.]+):\d+$/.exec(bracketed)?.[1] ?? bracketed
  return withoutPort.replace(/%.*$/s, '')
}

/** The eight groups of an IPv6 address; the URL parser knows every way to write one. */
function groupsOf(address: string): number[] | null {
  if (!/^[\da-f:.]+$/i.test(address) || !URL.canParse(`http://[${address}]/`)) return null
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [numbers(left), numbers(right ?? '')]
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}
