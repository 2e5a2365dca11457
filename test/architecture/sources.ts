import { readdirSync } from 'node:fs'
import path from 'node:path'
import { checkout, readCheckout } from '../support/compiled.js'

export type Source = { path: string; text: string; imports: string[] }

/**
 * Files under these folders of the checkout, with what they import from us, as paths from the root.
 */
export function sourcesIn(folders: string[], extension = '.ts'): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(extension))
      .map((file) => source(path.posix.join(folder, file.split(path.sep).join('/')))),
  )
}

/** Code without its comments, whose words are no code. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

function source(file: string): Source {
  const text = readCheckout(file)
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
    path.posix.join(path.posix.dirname(file), target!).replace(/\.js$/, '.ts'),
  )
  return { path: file, text, imports }
}
