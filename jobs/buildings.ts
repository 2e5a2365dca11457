// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import path from 'node:path'
import { datedName } from '../src/operations/backup/rotation.js'
import { requireBuildingName } from '../src/operations/buildings/buildingName.js'
import { hostedBuildingState } from '../src/operations/buildings/buildingState.js'
import { createBuilding } from '../src/operations/buildings/createBuilding.js'
import { runCommand, runForResult } from '../src/operations/buildings/runCommand.js'
import {
  allSettings,
  type HostedBuilding,
  settingsFolder,
} from '../src/operations/buildings/settingsFolder.js'
import { config } from '../src/platform/process/config.js'
import { makePrivateFolder } from '../src/platform/process/files.js'
import { argumentsOfBuildings } from './support/commandLine.js'
import { printResult } from './support/runJob.js'

const folder = settingsFolder(config.buildings.folder)

/**
 * `npm run buildings`: many buildings on one database server, which BUILDINGS_DATABASE_URL names.
 */
const [word = '', ...rest] = process.argv.slice(2)
if (word === 'run') await runIn(rest).then(process.exit, (error) => printResult(() => Promise.reject(error)))
else await printResult(() => actOnAll(word))

/** `word` is a command of `npm run buildings`: others have been refused. */
async function actOnAll(word: string): Promise<object> {
  if (word === 'create') return create()
  if (word === 'list') return each('listed', hostedBuildingState)
  if (word === 'migrate')
    return each('migrated', (building) => runForResult('migrate', allSettings(building)))
  return backUp()
}

async function create(): Promise<object> {
  const { positionals, values } = argumentsOfBuildings('create')
  const { url = '', admin = '' } = values
  const { serverUrl } = config.buildings
  if (!serverUrl)
    throw new Error(
      'Set BUILDINGS_DATABASE_URL to the server’s address, with a role that can create databases and roles.',
    )
  return createBuilding({ name: positionals[0]!, address: url, email: admin }, serverUrl, folder)
}

async function backUp(): Promise<object> {
  const { values } = argumentsOfBuildings('backup')
  const to = await makePrivateFolder(path.resolve(values.to!))
  const at = new Date()
  return each('backups', (building) =>
    runForResult('backup', allSettings(building), [path.join(to, datedName(building.name, at))]),
  )
}

/** Prints a line of JSON for each; goes on after a failure. Throws at the end, naming them. */
async function each(what: string, act: (building: HostedBuilding) => Promise<object>): Promise<object> {
  const buildings = await folder.buildings()
  const failed: string[] = []
  for (const building of buildings) {
    const result = await act(building).catch((error: Error) => {
      failed.push(building.name)
      return { problem: error.message || (error as { code?: string }).code }
    })
    process.stdout.write(`${JSON.stringify({ building: building.name, ...result })}\n`)
  }
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${buildings.length} buildings failed: ${failed.join(', ')}`)
  return { [what]: buildings.length }
}

async function runIn([name = '', command = '', ...args]: string[]): Promise<number> {
  const files = await folder.read(requireBuildingName(name))
  if (!files) throw new Error(`There is no building ${name} in ${folder.file('.')}.`)
  return runCommand(command, allSettings(files), args)
}
