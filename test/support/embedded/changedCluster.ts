import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from '../../../src/platform/postgres/binaries.js'
import {
  chown,
  type DataFolder,
  openDataFolder,
  type PlacementOptions,
} from '../../../src/platform/postgres/dataFolder.js'
import { launch } from '../../../src/platform/postgres/launch.js'
import { existingPlacement, type Placement } from '../../../src/platform/postgres/placement.js'
import { findPostmaster, type Postmaster } from '../../../src/platform/postgres/postmaster.js'
import { runAsUser } from '../../../src/platform/postgres/runAs.js'
import { ownPort } from '../suite/ports.js'

/**
 * Lets the owner of a data folder's databases make roles, too, who may all sign in: a
 * server for many buildings.
 */
export async function asServerForMany(dataDir: string): Promise<void> {
  await changed(dataDir, {}, ['ALTER ROLE caretaker_owner CREATEROLE'], (cluster) =>
    writeFile(join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n'),
  )
}

/**
 * Lets the server of such a folder come up where nobody else does, and stay
 * there whenever it comes back.
 */
export async function giveOwnPort(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.opts')
  const started = await readFile(file, 'utf8')
  await writeFile(file, started.replace(/"port=\d+"/, `"port=${await ownPort()}"`))
}

/**
 * Runs statements as the superuser, whom no running server lets in, and
 * changes files of the cluster.
 */
async function changed(
  dataDir: string,
  options: PlacementOptions,
  statements: string[],
  change: (cluster: string) => Promise<void>,
): Promise<void> {
  const { folder, placement } = await placementOf(dataDir, options)
  const { cluster, runAs } = placement
  const { postgres } = await findBinaries(folder, runAs)
  await chown(runAs.init, cluster)
  const input = statements.map((statement) => `${statement};\n\n`).join('')
  const ended = await runAsUser(runAs, postgres, ['--single', '-j', '-D', cluster, 'caretaker'], {
    ids: runAs.init,
    input,
    limitMs: 120_000,
  })
  if (!ended.ok || /ERROR|FATAL/.test(ended.output)) throw new Error(ended.output)
  await change(cluster)
  await chown(runAs.server, cluster)
}

/**
 * Starts the server of such a folder, as a killed process leaves it running: nobody here uses it.
 * `samePort`: where it was before, if that is free.
 */
export async function leaveRunning(
  dataDir: string,
  { samePort = false, ...options }: PlacementOptions & { samePort?: boolean } = {},
): Promise<Postmaster> {
  const { folder, placement } = await placementOf(dataDir, options)
  const binaries = await findBinaries(folder, placement.runAs)
  await launch({ folder, placement, binaries, settings: { fsync: 'off' }, samePort })
  for (;;) {
    const found = await findPostmaster(placement.cluster)
    if (found?.status === 'ready') return found
    await sleep(20)
  }
}

async function placementOf(
  dataDir: string,
  options: PlacementOptions,
): Promise<{ folder: DataFolder; placement: Placement }> {
  const folder = await openDataFolder(dataDir, options)
  return { folder, placement: (await existingPlacement(folder))! }
}
