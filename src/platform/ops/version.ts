import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rootDir } from './config.js'

/** The version of this program, as package.json has it: in logs, in health and in connections to the database. */
export const version: string = JSON.parse(readFileSync(path.join(rootDir, 'package.json'), 'utf8')).version
