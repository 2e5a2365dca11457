import { beforeAll } from 'vitest'
import { config } from '../../src/config.js'

type Changes<T> = { [Key in keyof T]?: T[Key] extends object ? Changes<T[Key]> : T[Key] }
type Group = Record<string, unknown>

const configured = structuredClone(config)

/** Runs the tests of this file with these settings, which modules read when they are used; they end with the file. */
export function useSettings(changes: Changes<typeof config>): void {
  beforeAll(() => setSettings(changes))
}

/** Puts every setting back to what the environment says. */
export const restoreSettings = (): void => setSettings(structuredClone(configured))

const setSettings = (changes: object): void => assignDeep(config as Group, changes as Group)

/** Keeps the groups themselves: modules hold on to them. */
function assignDeep(target: Group, changes: Group): void {
  for (const [name, value] of Object.entries(changes))
    if (isGroup(value) && isGroup(target[name])) assignDeep(target[name], value)
    else target[name] = value
}

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
