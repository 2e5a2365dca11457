import { describe, expect, it } from 'vitest'
import { sourcesIn, withoutComments } from './sources.js'

describe('one place says', () => {
  /**
   * They join what runs to the incidents the status view names, sum up rows of the file, begin an
   * impact in the statement that makes or raises the incident, and show them as spans.
   */
  const impactReaders =
    /^src\/status\/(queries\/status|impacts\/storeImpacts)\.ts$|^src\/incidents\/(acts\/(reportIncident|escalateOverdue)|model\/search\/downtimeHours)\.ts$|_(spans|records)\.sql$/

  /**
   * What several places ask and one says, by the words that say it: a second copy goes on saying
   * what the first no longer does.
   */
  const facts: [what: string, words: RegExp, said: string, besides?: RegExp][] = [
    [
      'who is staff',
      /['"](board|manager)['"]|\brole (<>|!=|in|not in) \(?'/,
      'src/vocabulary/people/permissions.ts',
      // Words that people read, the people of the demo, and the same in SQL, which a test compares.
      /^src\/(text|demo)\/|^migrations\/views\/is_staff\.sql$/,
    ],
    ['an instant as a number', /extract\(epoch/, 'migrations/views/epoch_ms.sql'],
    ['whether messages leave', /sending_paused_at is null/, 'migrations/views/sending_is_on.sql'],
    ['an instant as JSON has it', /HH24:MI:SS\.MS/, 'migrations/views/iso_text.sql'],
    ['what a unit is called, in SQL', /\|\| ' · ' \|\|/, 'migrations/views/named_units.sql'],
    ['what a unit is called', /\} · \$\{\w*(\.number|[nN]umber|spelt)\b/, 'src/building/building.ts'],
    [
      'which incidents wait for an answer',
      /status = 'open' and \S*acknowledged_at is null/,
      'migrations/views/is_waiting.sql',
    ],
    [
      'which incidents have no place',
      /asset_id is null\s+and \S*unit_id is null/,
      'migrations/views/is_placeless.sql',
    ],
    [
      'which incidents want an answer',
      /unanswered_since is not null\s+and/,
      'migrations/views/is_unanswered.sql',
    ],
    ['which incidents are reopened', /reopened_at is not null\s+and/, 'migrations/views/is_reopened.sql'],
    [
      'what was true of an asset',
      /(from|join|into|update) asset_impacts/,
      'src/status/impacts/readImpacts.ts',
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
      'migrations/views/incident_impact.sql',
    ],
    ['whether its target has passed', /secs => 3600 \* \(?case/, 'migrations/views/is_past_target.sql'],
    ['how many are affected', /\.by_choice and/, 'migrations/views/affected_people.sql'],
  ]

  it.each(facts)('%s', (_what, words, said, besides = /^$/) => {
    const found = sources
      .filter(({ path, text }) => words.test(withoutComments(text)) && !besides.test(path))
      .map(({ path }) => path)
    expect(found).toEqual([said])
  })
})

const sources = [...sourcesIn(['src', 'jobs']), ...sourcesIn(['migrations/views'], '.sql')]
