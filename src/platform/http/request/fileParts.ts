import type { Context } from '../context.js'

/** The name of the file parts that an operation takes; null where it takes none. */
export type FileParts = 'photos[]' | 'file' | null

type Part = { name: string | null; originalFilename: string | null }

/**
 * Takes the files of these names; other files are noted and skipped. A part without a file name was
 * not chosen.
 */
export function filesNamed(names: ReadonlySet<string>, { state }: Context): (part: Part) => boolean {
  return ({ name, originalFilename }) => {
    if (!originalFilename) return false
    const isTaken = names.has(name ?? '')
    if (!isTaken) state.strayFiles = true
    return isTaken
  }
}
