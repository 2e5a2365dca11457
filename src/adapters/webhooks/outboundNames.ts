import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { limitConcurrency } from '../system/limitConcurrency.js'

/** The addresses of a host name; rejects when it has none, with `signal`'s reason once that is aborted. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>

/** Milliseconds and tries of a question: with both of a name's questions lost, enough of a 5 s delivery is left to say so. */
const patience = { timeout: 1_000, tries: 2 }

/** Threads the system's resolver may hold: it cannot be interrupted, and photos and passwords need the others. */
const system = limitConcurrency({ atOnce: 1, waiting: 8 })

/** What a name server that is alive says of a name it does not know; the hosts file may know it. */
const unknown = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME'])

/**
 * Asks name servers, without a thread per question: names that nobody answers must not hold up the others. Names they do
 * not know are then looked up as the system does, which also reads the hosts file. `servers` instead of the system's.
 */
export function resolveWith(servers?: string[]): Resolve {
  return async (name, signal) => {
    const bare = name.replace(/\.$/, '').toLowerCase()
    if (bare === 'localhost' || bare.endsWith('.localhost')) return here
    return ask(bare, signal, servers).catch((error: NodeJS.ErrnoException) => {
      if (!unknown.has(error.code ?? '')) throw error
      return system(async () => (signal.aborted ? [] : dns.lookup(bare, { all: true, verbatim: true })))
    })
  }
}

/** Asks the system's name servers. */
export const resolveName = resolveWith()

const here: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function ask(name: string, signal: AbortSignal, servers?: string[]): Promise<LookupAddress[]> {
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
