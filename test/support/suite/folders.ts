import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder among the files of this run, which go when it ends. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'caretaker-'))
