import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { syncFolder } from '../../platform/process/syncFolder.js'
import { envText } from '../envFile.js'

/** Environment variables, by name. */
type Settings = Record<string, string>
/** One of many buildings on a server: settings of its processes, and those of the release step. */
export type HostedBuilding = { name: string; settings: Settings; ownerSettings: Settings }

export const allSettings = ({ settings, ownerSettings }: HostedBuilding): Settings => ({
  ...settings,
  ...ownerSettings,
})

/** The owner's file is written first: a building is there once its other file is. */
const serving = '.env'
const owning = '.owner.env'

export type SettingsFolder = ReturnType<typeof settingsFolder>

/** The folder with each building's settings, NAME=value a line, as systemd reads them. */
export function settingsFolder(folder: string) {
  const file = (name: string) => path.join(folder, name)
  /** Null when there is no such building. */
  async function read(name: string): Promise<HostedBuilding | null> {
    const text = await readFile(file(name + serving), 'utf8').catch(noneIfMissing(null))
    if (text === null) return null
    const owner = await readFile(file(name + owning), 'utf8')
    return { name, settings: parsed(text), ownerSettings: parsed(owner) }
  }
  /** All buildings that have settings, by name. */
  async function buildings(): Promise<HostedBuilding[]> {
    const entries = await readdir(folder).catch(noneIfMissing([]))
    const names = entries
      .filter((name) => /^[a-z0-9-]+\.env$/.test(name))
      .map((name) => name.slice(0, -serving.length))
    return (await Promise.all(names.sort().map(read))).filter((each) => each !== null)
  }
  return {
    file,
    read,
    buildings,
    async write({ name, settings, ownerSettings }: HostedBuilding): Promise<void> {
      await mkdir(path.join(folder, name), { recursive: true, mode: 0o750 })
      await replace(
        file(name + owning),
        envText('For npm run migrate alone: the role that owns the tables.', ownerSettings),
      )
      await replace(
        file(name + serving),
        envText(`The settings of the building ${name}, with its secrets. Add others, one a line.`, settings),
      )
    },
    /** Tells the proxy which port answers for which host, as nginx's map reads it. */
    async writeHosts(): Promise<void> {
      const hosts = (await buildings()).map(
        ({ settings }) => `${new URL(settings.PUBLIC_URL!).hostname} 127.0.0.1:${settings.PORT};\n`,
      )
      await replace(file('hosts.map'), `# Written by npm run buildings.\n${hosts.join('')}`)
    },
  }
}

const parsed = (text: string) => parseEnv(text) as Settings

/** Complete or not at all, even through a power cut; readable for its owner alone. */
async function replace(target: string, text: string): Promise<void> {
  await writeFile(`${target}.new`, text, { mode: 0o600, flush: true })
  await rename(`${target}.new`, target)
  await syncFolder(path.dirname(target))
}

function noneIfMissing<T>(none: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return none
    throw error
  }
}
