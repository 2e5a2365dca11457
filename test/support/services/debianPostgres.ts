import { execFile, spawn } from 'node:child_process'
import { chownSync, existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { newFolder } from '../run/folders.js'
import { ownPort } from '../run/ports.js'

/** Debian's, which is older than the one that comes with us. */
const programs = '/usr/lib/postgresql/15/bin'

/** A newcomer's machine need not have it: its tests are left out there. CI insists on them. */
export const withoutPostgres15 = !existsSync(programs) && !process.env.REQUIRE_HOST

export type DebianPostgres = { url: string; ownerUrl: string; end: () => Promise<void> }

/** It refuses to run as root, where tests may. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/**
 * Starts an empty PostgreSQL 15 with a database for Caretaker and the two roles
 * of one, without passwords.
 */
export async function startPostgres15(): Promise<DebianPostgres> {
  const folder = newFolder()
  if (nobody.uid) chownSync(folder, nobody.uid, nobody.gid)
  const data = path.join(folder, 'data')
  const how = { ...nobody, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' } }
  const made = ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync']
  await promisify(execFile)(path.join(programs, 'initdb'), made, how)
  const port = await ownPort()
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', fsync: 'off' }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(path.join(programs, 'postgres'), ['-D', data, ...args], { ...how, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const at = (role: string, database: string) => `postgres://${role}:x@127.0.0.1:${port}/${database}`
  for (const sql of [
    'create role caretaker_owner login createdb',
    'create role caretaker login',
    'create database caretaker owner caretaker_owner',
  ])
    await said(at('postgres', 'postgres'), sql, () => child.exitCode !== null)
  return {
    url: at('caretaker', 'caretaker'),
    ownerUrl: at('caretaker_owner', 'caretaker'),
    end: async () => {
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the server takes it. */
async function said(url: string, sql: string, isGone: () => boolean): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(sql)
      return
    } catch (error) {
      const { code } = error as { code?: string }
      if (isGone() || !['ECONNREFUSED', '57P03'].includes(code ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    } finally {
      await client.end().catch(() => {})
    }
  }
}
