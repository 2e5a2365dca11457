import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { limitConcurrency } from '../process/limitConcurrency.js'

/** A host name's addresses; rejects when there are none, or with `signal`'s reason once aborted. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>

/**
 * Milliseconds and tries per query: if both are lost, a 5 s delivery still has time to report it.
 */
const patience = { timeout: 1_000, tries: 2 }

/** The system's resolver blocks a thread; photos and passwords need the other threads. */
const systemResolver = limitConcurrency({ atOnce: 1, waiting: 8 })

/** Errors of the DNS servers after which the system's resolver is asked. */
const askSystemAfter = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME'])

/**
 * Asks DNS servers without blocking a thread, so that dead names do not hold up others; then the
 * system's resolver, which reads the hosts file. `servers` replace the system's.
 */
export function resolveWith(servers?: string[]): Resolve {
  return async (name, signal) => {
    const bare = name.replace(/\.$/, '').toLowerCase()
    if (bare === 'localhost' || bare.endsWith('.localhost')) return loopbackAddresses
    return queryDns(bare, signal, servers).catch((error: NodeJS.ErrnoException) => {
      if (!askSystemAfter.has(error.code ?? '')) throw error
      return systemResolver(async () =>
        signal.aborted ? [] : dns.lookup(bare, { all: true, verbatim: true }),
      )
    })
  }
}

/** Asks the system's DNS servers. */
export const resolveName = resolveWith()

const loopbackAddresses: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function queryDns(name: string, signal: AbortSignal, servers?: string[]): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver(patience)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason
    return addresses.map((address) => ({ address, family: isIP(address) }))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
