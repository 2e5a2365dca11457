import { spawn } from 'node:child_process'
import { open, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Area } from './area.js'
import { type Binaries, findPgCtl } from './binaries.js'
import type { Home } from './home.js'
import type { Postmaster } from './pidFile.js'
import { signal, waitUntilGone } from './processes.js'
import { asMyself, CHILD_ENVIRONMENT, NEUTRAL_FOLDER, run } from './runAs.js'
import { settingArguments } from './settings.js'

/** A server on its way up: `isRunning` turns false when it ended, be it at once. */
export type Launched = { isRunning: () => boolean }

const onWindows = process.platform === 'win32'

/** Fast shutdown, then immediate (the next start recovers), then by force: PostgreSQL's own three ways. */
const WAYS_TO_STOP: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 8_000],
  ['SIGKILL', 5_000],
]

/**
 * Starts the postmaster in a session of its own, so that neither a terminal's Ctrl-C nor the end of this
 * process reaches it; it writes to the log file. Decision 5.2.
 */
export async function launch(
  area: Area,
  home: Home,
  binaries: Binaries,
  settings: string[],
): Promise<Launched> {
  if (onWindows) return launchOnWindows(area, home, binaries, settings)
  const [command, ...args] = home.runAs.wrap(binaries.postgres, ['-D', home.cluster, ...settings])
  const log = await open(area.log, 'a', 0o600)
  let running = true
  const child = spawn(command, args, {
    ...home.runAs.server,
    cwd: NEUTRAL_FOLDER,
    env: CHILD_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  for (const end of ['error', 'exit']) child.on(end, () => (running = false))
  child.unref()
  await log.close()
  return { isRunning: () => running }
}

/** Stops an identified postmaster and waits until it is gone; `atOnce` skips the polite way. */
export async function stopPostmaster(
  { identity }: Pick<Postmaster, 'identity'>,
  cluster: string,
  atOnce = false,
): Promise<void> {
  if (onWindows && (await stopOnWindows(cluster))) return
  for (const [name, limitMs] of atOnce ? WAYS_TO_STOP.slice(1) : WAYS_TO_STOP) {
    await signal(identity, name)
    // One that was halted would not hear of it.
    if (!onWindows) await signal(identity, 'SIGCONT')
    if (await waitUntilGone(identity, limitMs)) return
  }
  throw new Error(`The private PostgreSQL (process ${identity.pid}) does not end.`)
}

/** The arguments for a port nobody uses now: the last server's if possible. */
export async function chooseSettings(
  area: Area,
  again: boolean,
  extra: Record<string, string>,
): Promise<string[]> {
  const last = again ? 0 : Number.parseInt(await readFile(area.port, 'utf8').catch(() => ''), 10)
  const port = (await freePort(last || 0).catch(() => undefined)) ?? (await freePort(0))
  return settingArguments(port!, extra)
}

/** Keeps one older log, so that a crash can still be read about after the next start. */
export async function turnLog({ log }: Area): Promise<void> {
  await rename(log, `${log}.1`).catch(() => undefined)
}

/** The last lines of the log. */
export async function endOfLog({ log }: Area): Promise<string> {
  return (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-6).join('\n')
}

async function freePort(wanted: number): Promise<number | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.on('error', () => resolve(undefined))
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** pg_ctl gives up an administrator's rights, which the server would refuse. */
async function launchOnWindows(
  area: Area,
  home: Home,
  binaries: Binaries,
  settings: string[],
): Promise<Launched> {
  const args = ['start', '-W', '-D', home.cluster, '-l', area.log, '-o', settings.join(' ')]
  const { ok } = await run(asMyself, binaries.pgCtl, args)
  return { isRunning: () => ok }
}

async function stopOnWindows(cluster: string): Promise<boolean> {
  const args = ['stop', '-m', 'fast', '-w', '-t', '10', '-D', cluster]
  return (await run(asMyself, await findPgCtl(), args, { limitMs: 15_000 })).ok
}
