import path from 'node:path'
import { Eta } from 'eta'
import { rootDir } from '../../config.js'

/** What is not there prints as nothing instead of the word "undefined". */
const settings = {
  views: path.join(rootDir, 'views'),
  cache: true,
  autoFilter: true,
  filterFunction: (value: unknown) =>
    value === null || value === undefined || value === false ? '' : String(value),
  functionHeader: 'const { t, h } = it;',
}

/** Templates print what they are given, escaped. */
const eta = new Eta({ ...settings, autoEscape: true, autoTrim: [false, 'nl'] })

/** Plain text has nothing to escape, and its line breaks count. */
const plain = new Eta({ ...settings, autoEscape: false, autoTrim: false })

/** Renders `views/<name>.eta`; what the template may use is exactly what it is given. */
export function render(name: string, given: Record<string, unknown>): string {
  return eta.render(name, given)
}

/** Renders `views/<name>.eta` as plain text, such as a mail's: never as a part of a page. */
export function renderText(name: string, given: Record<string, unknown>): string {
  return plain.render(name, given)
}
