import { vi } from 'vitest'

/**
 * Looks until it throws no more, and returns what it saw then. Gives up after two minutes: on a
 * busy machine everything takes its time, and what never comes is found all the same.
 */
export const eventually = <T>(look: () => T | Promise<T>, interval = 50): Promise<T> =>
  vi.waitFor(look, { timeout: 120_000, interval })
