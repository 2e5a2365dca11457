import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { watched } from '../process.js'
import { type HeldSocket, holdSocket } from './heldSocket.js'

type Running = { child: ChildProcess; output: () => string; end: () => Promise<number | null> }

/**
 * Starts and restarts the units of docs/deploy as systemd does: what a unit says of its folder,
 * program, settings and socket is read each time it is started, after `daemon-reload`. `placed`
 * says where a path of this machine is here, and `env` is added to each process.
 */
export async function startServiceManager(
  units: string,
  placed: (text: string) => string,
  env: Record<string, string>,
) {
  const sockets = new Map<string, HeldSocket>()
  const running = new Map<string, Running>()
  const loaded = new Map<string, string>()
  const asked: string[] = []
  const codes: (number | null)[] = []
  let listening: (word: string) => unknown = () => {}

  function textOf(unit: string): string {
    const [, name, instance = ''] = /^([\w-]+)(?:@(\w+))?(?:\.service)?$/.exec(unit)!
    const file = path.join(units, `${name}${instance ? '@' : ''}.service`)
    if (!loaded.has(file)) loaded.set(file, readFileSync(file, 'utf8'))
    return placed(loaded.get(file)!.replaceAll('%i', instance))
  }

  async function start(unit: string): Promise<Running> {
    const text = textOf(unit)
    const all = (key: string) =>
      [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
    const [program, ...args] = all('ExecStart')[0]!.split(' ')
    if (program !== '/usr/bin/node') throw new Error(`${unit} starts ${program}`)
    const own = all('Environment').flatMap((line) => line.match(/"[^"]*"|\S+/g) ?? [])
    const settings = Object.assign(
      Object.fromEntries(own.map((word) => word.replaceAll('"', '').split(/=(.*)/s).slice(0, 2))),
      ...all('EnvironmentFile').map((file) => parseEnv(readFileSync(file, 'utf8'))),
      env,
    )
    const isHeld = text.includes('.socket\n')
    if (isHeld && !sockets.has(unit)) sockets.set(unit, holdSocket())
    const child = spawn(
      'sh',
      ['-c', `${isHeld ? 'LISTEN_PID=$$ ' : ''}exec "$@"`, 'sh', process.execPath, ...args],
      {
        cwd: all('WorkingDirectory')[0],
        env: { PATH: '/usr/bin:/bin', ...settings, ...(isHeld ? { LISTEN_FDS: '1' } : {}) },
        stdio: ['ignore', 'pipe', 'pipe', ...(isHeld ? [sockets.get(unit)!.fd] : [])],
      },
    )
    const { printed, ...process_ } = watched(child)
    if (text.includes('Type=oneshot')) {
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`${unit} ended with ${code}: ${process_.output()}`)
      return process_
    }
    running.set(unit, process_)
    await printed(/"msg":"(listening|working)"/)
    return process_
  }

  async function restart(unit: string): Promise<void> {
    const before = running.get(unit)
    if (!before) throw new Error(`${unit} does not run`)
    codes.push(await before.end())
    await start(unit)
  }

  /** What `systemctl` asks for, and marks that the test sets between the commands of a page. */
  const control = createServer((request, response) => {
    const [, word = '', unit = ''] = decodeURIComponent(request.url!).split('/')
    const acts: Record<string, () => unknown> = {
      start: () => start(unit),
      restart: () => restart(unit),
      'daemon-reload': () => loaded.clear(),
      mark: () => listening(unit),
    }
    asked.push([word, unit].filter(Boolean).join(' '))
    Promise.resolve()
      .then(() => acts[word]!())
      .then(
        () => response.end(),
        (error: Error) => response.writeHead(500).end(error.message),
      )
  })
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
  const { port } = control.address() as AddressInfo

  return {
    start,
    restart,
    asked,
    codes,
    /** A shell script that stands for `systemctl`. */
    systemctl: `exec curl -sS --fail-with-body "http://127.0.0.1:${port}/$1/\${2:-}" >&2\n`,
    /** A command that calls `act` with this word. Those that follow it in a page wait for it. */
    mark: (word: string) => `curl -sSf "http://127.0.0.1:${port}/mark/${word}"\n`,
    onMark: (act: (word: string) => unknown) => (listening = act),
    portOf: (unit: string) => sockets.get(unit)!.port,
    outputs: () => [...running.values()].map(({ output }) => output()).join(''),
    /** The folder each unit runs in, without links. */
    folders: () =>
      [...running.values()].map(({ child }) =>
        existsSync(`/proc/${child.pid}/cwd`) ? readlinkSync(`/proc/${child.pid}/cwd`) : '',
      ),
    end: async () => {
      control.close()
      const ended = await Promise.all([...running.values()].map((each) => each.end()))
      for (const socket of sockets.values()) socket.close()
      return ended
    },
  }
}
