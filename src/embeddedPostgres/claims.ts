import { open, readFile, readlink, stat, symlink } from 'node:fs/promises'
import { type Identity, isAlive } from './processes.js'

/** Young enough to be still in the middle of its first write, where links are not available. */
const WRITING_MS = 5_000
const NO_LINKS_HERE = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/**
 * Creates the path with a process' identity in it; false when it is there already. A link holds its text
 * in one step and needs no free space on the disk; where links are refused a file stands in.
 */
export async function writeClaim(path: string, { pid, start }: Identity): Promise<boolean> {
  const text = `${pid}:${start}`
  return unlessThere(() =>
    symlink(text, path).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINKS_HERE.includes(error.code ?? '')) throw error
      return writeNewFile(path, text)
    }),
  )
}

/** Whether the process that made the claim still lives. */
export async function isHeld(path: string): Promise<boolean> {
  const holder = await holderOf(path)
  if (holder !== undefined) return isAlive(holder)
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs < WRITING_MS,
    () => false,
  )
}

/** The identity in a claim; undefined when the claim is gone or unreadable. */
export async function holderOf(path: string): Promise<Identity | undefined> {
  const text = await readlink(path).catch(() => readFile(path, 'utf8').catch(() => ''))
  const [, pid, start] = /^(\d+):(.+)$/s.exec(text) ?? []
  return pid === undefined || start === undefined ? undefined : { pid: Number(pid), start }
}

async function unlessThere(create: () => Promise<void>): Promise<boolean> {
  try {
    await create()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function writeNewFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  await file.writeFile(text).finally(() => file.close())
}
