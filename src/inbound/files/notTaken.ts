import { limits } from '../../vocabulary/limits.js'
import { cut } from '../../vocabulary/plainText.js'
import type { FileNotTaken, InboundText } from '../message.js'

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

/** An entry's text: everyone reads how many files were not taken, and staff which and why. */
export function entryWithNotTaken(
  text: string,
  notTaken: readonly FileNotTaken[],
  t: InboundText,
): { body: string; bodyForStaff: string | null } {
  if (notTaken.length === 0) return { body: text, bodyForStaff: null }
  const withLine = (line: string) =>
    [cut(text, limits.text - [...line].length - 2), line].filter(Boolean).join('\n\n')
  return { body: withLine(t.notTaken(notTaken.length)), bodyForStaff: withLine(namedForStaff(notTaken, t)) }
}

/** For staff: the first by name with why, the others as a number. */
export function namedForStaff(files: readonly FileNotTaken[], t: Omit<InboundText, 'locale'>): string {
  const firstFiles = files.slice(0, mostNamed)
  return t.notTakenNamed(
    firstFiles.map(({ name, why }) => t.fileNotTaken(name, t.whyNotTaken[why])),
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
