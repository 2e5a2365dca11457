import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rootDir } from './config.js'

const file = path.join(rootDir, 'dist', '.commit')

/**
 * The commit this program was built from, as the build has noted it; null where no one could tell.
 */
export const commit: string | null = (existsSync(file) && readFileSync(file, 'utf8')) || null

/**
 * The version of this program, as package.json has it, with the start of its commit:
 * `1.0.0+0a3363b`. In logs, in health, in backups and in connections to the database.
 */
export const version: string = [
  JSON.parse(readFileSync(path.join(rootDir, 'package.json'), 'utf8')).version,
  ...(commit ? [commit.slice(0, 7)] : []),
].join('+')
