import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

const sources = sourcesIn(['src', 'jobs'])

/** They join what runs to the incidents the status view names, and sum up rows of the file. */
const impactReaders = /^src\/models\/status\/(status|downtimeHours)\.ts$/

/** What several places ask and one says, by the words that say it: a second copy goes on saying what the first no longer does. */
const facts: [what: string, words: RegExp, said: string, besides?: RegExp][] = [
  [
    'who is staff',
    /['"](board|manager)['"]|\brole (<>|!=|in|not in) \(?'/,
    'src/domain/accounts/permissions.ts',
    // Words that people read, and the people of the demo.
    /^src\/(text|demo)\//,
  ],
  ['an instant as a number', /extract\(epoch/, 'src/models/system/instants.ts'],
  ['an instant as JSON has it', /HH24:MI/, 'src/models/system/instants.ts'],
  ['what a unit is called, in SQL', /\|\| ' · ' \|\|/, 'src/models/building/unitName.ts'],
  ['what a unit is called', /\} · \$\{\w*(\.number|[nN]umber|spelt)\b/, 'src/models/building/unitName.ts'],
  [
    'where an incident’s unit is',
    /join units \w+ on \w+\.id = \S+\.unit_id/,
    'src/models/building/unitName.ts',
  ],
  [
    'which incidents wait for an answer',
    /status = 'open' and \S*acknowledged_at is null/,
    'src/models/incidents/facts.ts',
  ],
  [
    'what was true of an asset',
    /(from|join|into|update) asset_impacts/,
    'src/models/status/impacts.ts',
    impactReaders,
  ],
  [
    'what an incident does to its asset',
    /\bcoloursAsset\(/,
    'src/domain/status/impact.ts',
    /^src\/domain\/(incidents\/severity|status\/correctedImpacts)\.ts$/,
  ],
  [
    'what an incident does to its asset, in SQL',
    /when \S*is_downtime then|is_downtime and \S*(resolved|merged)/,
    'src/models/status/impacts.ts',
  ],
  ['whether its target has passed', /secs => 3600 \* \(case/, 'src/models/incidents/facts.ts'],
  ['how many are affected', /\.by_choice and/, 'src/models/incidents/affected.ts'],
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
