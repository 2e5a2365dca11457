const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const v4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

/**
 * The network behind an address: an IPv4 address is one by itself, of an IPv6 address it is the /64, because that is
 * what one customer is given and can fill. An IPv4-mapped IPv6 address is the IPv4 address it holds. A port, brackets
 * and a zone are allowed, as proxies write them. Null for what is no address (decision 1.6).
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

/** The site a network (as `networkOf` names it) is of: of an IPv6 network the /48, of which anybody can rent one. */
export function siteOf(network: string): string {
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
}

/** Without what may stand around it: `[2001:db8::1]:443`, `192.0.2.1:5000`, `fe80::1%eth0`. */
function bareAddress(address: string): string {
  const text = address.slice(0, 100).trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const withoutPort = /^([\d.]+):\d+$/.exec(bracketed)?.[1] ?? bracketed
  return withoutPort.replace(/%.*$/s, '')
}

/** The eight groups of an IPv6 address, however it is written. The parser of URLs knows every way. */
function groupsOf(address: string): number[] | null {
  if (!/^[\da-f:.]+$/i.test(address) || !URL.canParse(`http://[${address}]/`)) return null
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [numbers(left), numbers(right ?? '')]
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}
