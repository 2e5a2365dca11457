import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** When the process started, in the system's own words (macOS, BSD: ps; Windows: PowerShell). */
export async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return ask(`(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`)
  const line = await ps('stat=,lstart=', pid)
  return line === undefined || line.startsWith('Z') ? undefined : line.split(/\s+/).slice(1).join(' ')
}

/** Whether the process' command line names both PostgreSQL and this data folder. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  const command = await (process.platform === 'win32' ? windowsCommand(pid) : ps('command=', pid))
  if (command === undefined || !command.includes('postgres')) return false
  return slashed(command).includes(slashed(cluster))
}

async function windowsCommand(pid: number): Promise<string | undefined> {
  return ask(`(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`)
}

function slashed(text: string): string {
  return process.platform === 'win32' ? text.replaceAll('\\', '/').toLowerCase() : text
}

async function ps(columns: string, pid: number): Promise<string | undefined> {
  // The start time is printed in local words: one language and one zone make it comparable.
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }
  return answer(execute('ps', ['-ww', '-o', columns, '-p', String(pid)], { env }))
}

async function ask(script: string): Promise<string | undefined> {
  return answer(execute('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]))
}

async function answer(running: Promise<{ stdout: string }>): Promise<string | undefined> {
  const text = await running.then(({ stdout }) => stdout.trim()).catch(() => '')
  return text === '' ? undefined : text
}
