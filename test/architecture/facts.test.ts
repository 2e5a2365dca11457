import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

const sources = sourcesIn(['src', 'jobs'])

/** They join what runs to the incidents the status view names, and sum up rows of the file. */
const impactReaders = /^src\/status\/queries\/(status|rollup)\.ts$/

/**
 * What several places ask and one says, by the words that say it: a second copy goes on saying what
 * the first no longer does.
 */
const facts: [what: string, words: RegExp, said: string, besides?: RegExp][] = [
  [
    'who is staff',
    /['"](board|manager)['"]|\brole (<>|!=|in|not in) \(?'/,
    'src/vocabulary/people/permissions.ts',
    // Words that people read, and the people of the demo.
    /^src\/(text|demo)\//,
  ],
  ['an instant as a number', /extract\(epoch/, 'src/platform/db/instants.ts'],
  ['an instant as JSON has it', /HH24:MI/, 'src/platform/db/instants.ts'],
  ['what a unit is called, in SQL', /\|\| ' · ' \|\|/, 'src/building/building.ts'],
  ['what a unit is called', /\} · \$\{\w*(\.number|[nN]umber|spelt)\b/, 'src/building/building.ts'],
  ['where an incident’s unit is', /join units \w+ on \w+\.id = \S+\.unit_id/, 'src/building/building.ts'],
  [
    'which incidents wait for an answer',
    /status = 'open' and \S*acknowledged_at is null/,
    'src/status/queries/incidentFacts.ts',
  ],
  [
    'what was true of an asset',
    /(from|join|into|update) asset_impacts/,
    'src/status/queries/impacts.ts',
    impactReaders,
  ],
  [
    'what an incident does to its asset',
    /\bcoloursAsset\(/,
    'src/vocabulary/assetStatus.ts',
    /^src\/(vocabulary\/severity|status\/rules\/correctedImpacts)\.ts$/,
  ],
  [
    'what an incident does to its asset, in SQL',
    /when \S*is_downtime then|is_downtime and \S*(resolved|merged)/,
    'src/status/queries/impacts.ts',
  ],
  ['whether its target has passed', /secs => 3600 \* \(case/, 'src/incidents/model/timeline.ts'],
  ['how many are affected', /\.by_choice and/, 'src/incidents/model/affected.ts'],
]

/** Code without its comments. */
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

describe('one place says', () => {
  it.each(facts)('%s', (_what, words, said, besides = /^$/) => {
    const found = sources
      .filter(({ path, text }) => words.test(code(text)) && !besides.test(path))
      .map(({ path }) => path)
    expect(found).toEqual([said])
  })
})
