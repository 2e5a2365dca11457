import path from 'node:path'
import { Eta } from 'eta'
import { rootDir } from '../config.js'

/** Templates print what they are given, escaped; what is not there prints as nothing instead of the word "undefined". */
const eta = new Eta({
  views: path.join(rootDir, 'views'),
  cache: true,
  autoEscape: true,
  autoFilter: true,
  autoTrim: [false, 'nl'],
  filterFunction: (value) => (value === null || value === undefined || value === false ? '' : String(value)),
  functionHeader: 'const { t, h } = it;',
})

/** Renders `views/<name>.eta`; what the template may use is exactly what it is given. */
export function render(name: string, given: Record<string, unknown>): string {
  return eta.render(name, given)
}
