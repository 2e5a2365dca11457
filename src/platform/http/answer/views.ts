import path from 'node:path'
import { Eta } from 'eta'
import { rootDir } from '../../process/config.js'

/** Missing values print as nothing instead of "undefined". */
const settings = {
  views: path.join(rootDir, 'views'),
  cache: true,
  autoFilter: true,
  filterFunction: (value: unknown) =>
    value === null || value === undefined || value === false ? '' : String(value),
  functionHeader: 'const { t, h } = it;',
}

/**
 * Templates are indented for those who read them. The indentation is taken off once, when a
 * template is compiled: it reaches no page and costs no bytes, and inside of `white-space:
 * pre-wrap` it would be seen.
 */
const unindented = { processTemplate: (template: string) => template.replaceAll(/^[ \t]+/gm, '') }

/** HTML: everything printed is escaped. */
const eta = new Eta({
  ...settings,
  autoEscape: true,
  autoTrim: [false, 'nl'],
  plugins: [unindented],
})

/** Plain text: no escaping, line breaks kept. */
const plain = new Eta({ ...settings, autoEscape: false, autoTrim: false })

/** Renders `views/<name>.eta` as HTML. */
export function render(name: string, values: Record<string, unknown>): string {
  return eta.render(name, values)
}

/** Renders `views/<name>.eta` as plain text, for emails; never for a page: it escapes nothing. */
export function renderText(name: string, values: Record<string, unknown>): string {
  return plain.render(name, values)
}
