import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Area, openArea, openShelter } from '../../../src/embeddedPostgres/area.js'
import { findBinaries } from '../../../src/embeddedPostgres/binaries.js'
import { existingHome, type Home, type Ways } from '../../../src/embeddedPostgres/home.js'
import { findPostmaster } from '../../../src/embeddedPostgres/pidFile.js'
import { chooseSettings, launch } from '../../../src/embeddedPostgres/postmaster.js'
import { run } from '../../../src/embeddedPostgres/runAs.js'
import { giveTo } from '../../../src/embeddedPostgres/trees.js'

/** What earlier versions made: one role, which owns all that it serves and may make databases. */
const oneRole = [
  'REASSIGN OWNED BY caretaker_owner TO caretaker',
  'DROP OWNED BY caretaker_owner',
  'GRANT TEMPORARY ON DATABASE caretaker TO PUBLIC',
  'DROP ROLE caretaker_owner',
  'ALTER ROLE caretaker CREATEDB',
]

/** Turns a data folder without a running server into one of an earlier version, with everything in it. */
export async function asEarlierVersion(dataDir: string, ways: Ways = {}): Promise<void> {
  const { area, home } = await homeOf(dataDir, ways)
  const { cluster, runAs } = home
  const { postgres } = await findBinaries(runAs, () => openShelter(area, ways.shelterRoots))
  await giveTo(runAs.init, cluster)
  const input = oneRole.map((statement) => `${statement};\n\n`).join('')
  const ended = await run(runAs, postgres, ['--single', '-j', '-D', cluster, 'caretaker'], {
    ids: runAs.init,
    input,
    limitMs: 30_000,
  })
  if (!ended.ok || /ERROR|FATAL/.test(ended.output)) throw new Error(ended.output)
  await rm(join(cluster, 'caretaker_owner.password'))
  await writeFile(join(cluster, 'pg_hba.conf'), 'host all caretaker 127.0.0.1/32 scram-sha-256\n')
  await giveTo(runAs.server, cluster)
}

/** Starts the server of such a folder, as a killed process of that version leaves it running. */
export async function leaveRunning(dataDir: string, ways: Ways = {}): Promise<void> {
  const { area, home } = await homeOf(dataDir, ways)
  const binaries = await findBinaries(home.runAs, () => openShelter(area, ways.shelterRoots))
  await launch(area, home, binaries, await chooseSettings(area, true, { fsync: 'off' }))
  while ((await findPostmaster(home.cluster))?.status !== 'ready') await sleep(20)
}

async function homeOf(dataDir: string, ways: Ways): Promise<{ area: Area; home: Home }> {
  const area = await openArea(dataDir)
  return { area, home: (await existingHome(area, ways))! }
}
