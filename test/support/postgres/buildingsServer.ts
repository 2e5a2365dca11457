import { startEmbeddedPostgres } from '../../../src/platform/postgres/embeddedPostgres.js'
import { asServerForMany } from './changedCluster.js'

/**
 * A PostgreSQL for many buildings, in a folder of its own: at `url`, as a role that may
 * make databases and roles.
 */
export async function startServerForMany(
  dataDir: string,
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const first = await startEmbeddedPostgres({ dataDir, settings })
  await first.stop()
  await asServerForMany(dataDir)
  const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, settings })
  return { url: Object.assign(new URL(ownerUrl), { pathname: '/postgres' }).href, stop }
}
