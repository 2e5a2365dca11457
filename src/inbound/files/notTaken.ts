import type { Text } from '../../text/index.js'
import type { FileNotTaken } from '../message.js'

/** Files that are named; the others are counted. */
const mostNamed = 20
/** Files kept of a held email; staff see only the first few. */
const mostKept = 100

/**
 * How they are kept with a held email. The release before knows `refused` and `later` alone, and
 * still reads them while an upgrade runs.
 */
export type KeptNotTaken = { refused: string[]; later: string[]; notTaken?: readonly FileNotTaken[] }

export function keptNotTaken(files: readonly FileNotTaken[]): KeptNotTaken {
  const names = (isLater: boolean) =>
    files.filter(({ why }) => (why === 'later') === isLater).map(({ name }) => name)
  return {
    refused: names(false).slice(0, mostKept),
    later: names(true).slice(0, mostKept),
    notTaken: files.slice(0, mostKept),
  }
}

/** Of a row that the release before wrote, it is not known why. */
export function notTakenIn({ refused, later, notTaken }: KeptNotTaken): readonly FileNotTaken[] {
  if (notTaken) return notTaken
  return [
    ...refused.map((name): FileNotTaken => ({ name, why: 'refused' })),
    ...later.map((name): FileNotTaken => ({ name, why: 'later' })),
  ]
}

/** For staff: the first by name with why, the others as a number. */
export function namedForStaff(files: readonly FileNotTaken[], words: Text['inboundEmail']): string {
  const firstFiles = files.slice(0, mostNamed)
  return words.notTakenNamed(
    firstFiles.map(({ name, why }) => words.fileNotTaken(name, words.whyNotTaken[why])),
    files.length - firstFiles.length,
  )
}

/** For the email to the sender, by part of its payload; nothing where all files were taken. */
export function notTakenPayload(files: readonly FileNotTaken[]): {
  notTaken?: readonly FileNotTaken[]
  notTakenMore?: number
} {
  if (files.length === 0) return {}
  return { notTaken: files.slice(0, mostNamed), notTakenMore: Math.max(0, files.length - mostNamed) }
}
