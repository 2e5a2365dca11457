import './help.js'

import path from 'node:path'
import { parseArgs } from 'node:util'
import { createBuilding } from '../src/platform/ops/buildings/createBuilding.js'
import {
  hostedBuildingState,
  requireBuildingName,
  resultOf,
  runCommand,
} from '../src/platform/ops/buildings/everyBuilding.js'
import {
  allSettings,
  type HostedBuilding,
  makeFolder,
  settingsFolder,
} from '../src/platform/ops/buildings/settingsFolder.js'
import { config } from '../src/platform/ops/config.js'
import { isMailAddress } from '../src/vocabulary/email/contactDetails.js'
import { printing } from './run.js'

const usage = `One of these:
  npm run buildings -- create NAME --url https://HOST --admin EMAIL   creates a building, or finishes creating it
  npm run buildings -- list                    shows each building's database, schema, size and last job times
  npm run buildings -- migrate                 migrates all buildings, one after another
  npm run buildings -- backup --to FOLDER      backs up each building
  npm run buildings -- run NAME COMMAND ...    runs a command in one building: admin, backup, restore, sending, ...`

/** Commands that work on one building; a private one alone is moved or filled with the demo. */
const commands = ['admin', 'backup', 'digest', 'migrate', 'photos', 'restore', 'sending', 'sweep', 'tidy']

const folder = settingsFolder(config.buildings.folder)

/** `npm run buildings`: many buildings on one database server, which BUILDINGS_DATABASE_URL names. */
const [word = '', ...rest] = process.argv.slice(2)
if (word === 'run') await runIn(rest).then(process.exit, (error) => printing(() => Promise.reject(error)))
else await printing(() => actOnAll(word, rest))

async function actOnAll(word: string, args: string[]): Promise<object> {
  if (word === 'create') return create(args)
  if (word === 'list') return each('listed', hostedBuildingState)
  if (word === 'migrate') return each('migrated', (building) => resultOf('migrate', allSettings(building)))
  if (word === 'backup') return backUp(args)
  throw new Error(usage)
}

async function create(args: string[]): Promise<object> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { url: { type: 'string', default: '' }, admin: { type: 'string', default: '' } },
  })
  const { serverUrl } = config.buildings
  if (!serverUrl)
    throw new Error(
      'Set BUILDINGS_DATABASE_URL to the server’s address, with a role that can create databases and roles.',
    )
  if (positionals.length !== 1 || !isMailAddress(values.admin)) throw new Error(usage)
  return createBuilding(
    { name: positionals[0]!, address: values.url, email: values.admin },
    serverUrl,
    folder,
  )
}

async function backUp(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { to: { type: 'string', default: '' } } })
  if (!values.to) throw new Error('Enter a folder: npm run buildings -- backup --to FOLDER')
  const to = await makeFolder(path.resolve(values.to))
  const at = `${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z`
  return each('backups', (building) =>
    resultOf('backup', allSettings(building), [path.join(to, `${building.name}-${at}.tar.gz`)]),
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
  if (!commands.includes(command)) throw new Error(`${usage}\nCommands: ${commands.join(', ')}`)
  const files = await folder.read(requireBuildingName(name))
  if (!files) throw new Error(`There is no building ${name} in ${folder.file('.')}.`)
  return runCommand(command, allSettings(files), args)
}
