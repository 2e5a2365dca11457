import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBinaries } from '../../../src/platform/postgres/binaries.js'
import { openDataFolder } from '../../../src/platform/postgres/dataFolder.js'
import { chownTree } from '../../../src/platform/postgres/folderTree.js'
import { existingPlacement } from '../../../src/platform/postgres/placement.js'
import { runAsUser } from '../../../src/platform/postgres/runAs.js'
import { ownPort } from '../run/ports.js'

/**
 * Lets the owner of a data folder's databases make roles, too, who may all sign in: a
 * server for many buildings.
 */
export async function asServerForMany(dataDir: string): Promise<void> {
  await changed(dataDir, ['ALTER ROLE caretaker_owner CREATEROLE'], (cluster) =>
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
  statements: string[],
  change: (cluster: string) => Promise<void>,
): Promise<void> {
  const folder = await openDataFolder(dataDir)
  const { cluster, runAs } = (await existingPlacement(folder))!
  const { postgres } = await findBinaries(folder, runAs)
  await chownTree(cluster, runAs.init)
  const input = statements.map((statement) => `${statement};\n\n`).join('')
  const ended = await runAsUser(runAs, postgres, ['--single', '-j', '-D', cluster, 'caretaker'], {
    ids: runAs.init,
    input,
    limitMs: 120_000,
  })
  if (!ended.ok || /ERROR|FATAL/.test(ended.output)) throw new Error(ended.output)
  await change(cluster)
  await chownTree(cluster, runAs.server)
}
