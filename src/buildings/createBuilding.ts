import { resultOf } from '../adapters/buildings/commands.js'
import { query } from '../database.js'
import { type Building, requireAddress, requireBuildingName } from './building.js'
import { aloneOnServer, makeDatabase, requireUnused, type Server } from './database.js'
import { everyBuilding, type Folder, inBuilding } from './everyBuilding.js'
import { newSettings } from './newSettings.js'

export type Asked = { name: string; address: string; email: string }
/** `admin`: its address and, once, its password; null when the building had an admin already. */
export type Created = { building: string; url: string; port: number; migrated: unknown; admin: object | null }

/**
 * Makes a building: settings, roles, database, tables, first admin, in this order. One that was begun and not finished
 * is finished; one that is there is left as it is. Any number of calls at once, one after another.
 */
export async function createBuilding(asked: Asked, serverUrl: string, folder: Folder): Promise<Created> {
  const name = requireBuildingName(asked.name)
  const address = requireAddress(asked.address)
  return aloneOnServer(serverUrl, async (server) => {
    const building = await begun(server, { name, address, serverUrl }, folder)
    await makeDatabase(server, building)
    const settings = { ...building.settings, ...building.ownerSettings }
    const { migrated } = await resultOf('migrate', settings)
    const admin = (await hasAdmin(building))
      ? null
      : await resultOf('admin', settings, ['--email', asked.email])
    await tellHosts(folder)
    return { building: name, url: address, port: Number(settings.PORT), migrated, admin }
  })
}

/** The settings are there before the database: they alone know its passwords. */
async function begun(
  server: Server,
  { name, address, serverUrl }: { name: string; address: string; serverUrl: string },
  folder: Folder,
): Promise<Building> {
  const buildings = await everyBuilding(folder)
  const known = buildings.find((each) => each.name === name)
  const others = buildings.filter((each) => each !== known)
  const hostOf = ({ settings }: Building) => new URL(settings.PUBLIC_URL!).hostname
  const sharing = others.find((each) => hostOf(each) === new URL(address).hostname)
  if (sharing) throw new Error(`${address} is already used by the building ${sharing.name}.`)
  if (known && known.settings.PUBLIC_URL !== address)
    throw new Error(
      `The building ${name} already has the address ${known.settings.PUBLIC_URL}. Change it in ${folder.file(`${name}.env`)}.`,
    )
  if (known) return known
  await requireUnused(server, name)
  const made = newSettings({ name, address, folder: folder.file('.'), serverUrl }, others)
  await folder.write(name, made)
  return made
}

async function hasAdmin(building: Building): Promise<boolean> {
  return inBuilding(building, async () => {
    const admins = await query(`select from users where role = 'admin' and active limit 1`)
    return admins.length > 0
  })
}

/** Tells the proxy which port answers for which host. */
async function tellHosts(folder: Folder): Promise<void> {
  const buildings = await everyBuilding(folder)
  await folder.writeHosts(
    buildings.map(({ settings }) => ({ host: new URL(settings.PUBLIC_URL!).hostname, port: settings.PORT! })),
  )
}
