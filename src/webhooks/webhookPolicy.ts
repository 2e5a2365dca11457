import { type AddressPolicy, loopback, networksFrom } from '../platform/net/addressPolicy.js'
import { config } from '../platform/process/config.js'

/** Wall-clock milliseconds for a whole delivery (spec §6 rule 5, §8; decision 4.8). */
export const deliveryTimeout = 5_000

/**
 * Networks this deployment opens for webhooks; this machine only in a trial setup (decision 4.9).
 */
const networks = [
  ...openedNetworks(config.webhookAllowedNetworks),
  ...(config.embedded && !config.production ? loopback : []),
]

/**
 * Where webhooks of this deployment may go. Its own port and those of its database are closed in
 * the opened networks: the one in its settings, and `databasePort`, which the server itself has.
 */
export function webhookPolicy(databasePort: number | null): AddressPolicy {
  const configuredPort = config.databaseUrl ? Number(new URL(config.databaseUrl).port || 5432) : null
  return {
    networks,
    closedPorts: new Set([config.port, configuredPort, databasePort].filter((port) => port !== null)),
  }
}

function openedNetworks(texts: readonly string[]) {
  try {
    return networksFrom(texts)
  } catch (error) {
    throw new Error(`WEBHOOK_ALLOWED_NETWORKS: ${(error as Error).message}`)
  }
}
