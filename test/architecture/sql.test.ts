import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseViews } from '../../migrations/views.js'
import { checkout, readCheckout } from '../support/compiled.js'
import { sourcesIn } from './sources.js'

describe('SQL', () => {
  it('is whole where it stands: parts that only work among names of others are few, and these', () => {
    expect(fragments.sort()).toEqual([
      'src/incidents/model/search/downtimeHours.ts downtimeHoursSql',
      'src/incidents/model/search/filters.ts filteredSql',
      'src/incidents/model/search/searchByIds.ts matchesByIdSql',
      'src/incidents/model/search/searchSql.ts matchesSql',
      'src/notifications/emails/gathering.ts dueAt',
      'src/notifications/emails/gathering.ts gatherIntoWaitingRow',
      'src/notifications/emails/gathering.ts gatheringLimit',
      'src/operations/backup/tables.ts photoPathsSql',
      'src/platform/outbox/outboxRow.ts enqueueSql',
    ])
  })

  it('is seldom put together from pieces', () => {
    expect(glued.length, glued.join('\n')).toBeLessThanOrEqual(55)
  })
})

describe('a view or function of the database', () => {
  const folder = path.join(checkout, 'migrations', 'views')
  const document = readCheckout(path.join('migrations', 'schema.sql'))

  it('has a file that the list of views names', () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.sql$/, ''))
    expect(databaseViews.map(({ name }) => name).sort()).toEqual(files.sort())
  })

  it.each(databaseViews)(
    '$name is one statement with a comment, and in schema.sql',
    ({ name, statement }) => {
      expect(statement).toMatch(new RegExp(`^create or replace (view|function) ${name}\\b`))
      expect(statement).toMatch(new RegExp(`^comment on (view|function) ${name} is\\b`, 'm'))
      expect(document).toContain(statement)
    },
  )
})

const sources = sourcesIn(['src', 'jobs', 'migrations'])

/** What is exported with its comment, if it has one. */
const exported = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?(?:const|function) (\w+)/g

/** The exported parts of SQL, by what their names or comments say. */
const fragments = sourcesIn(['src', 'jobs']).flatMap(({ path, text }) =>
  [...text.matchAll(exported)]
    .filter(([, comment = '', name]) => name!.endsWith('Sql') || /^\/\*\*\s*\*?\s*SQL\b(?!’|')/.test(comment))
    .map(([, , name]) => `${path} ${name}`),
)

/** Statements with a part that is put in by code; "Select …" of the catalogue is none. */
const statementSources = sources.filter((source) => !source.path.startsWith('src/text/'))
const glued = statementSources.flatMap(({ path, text }) =>
  [...text.matchAll(/`\s*(?:with|select|insert|update|delete)\b[^`]*`/gi)]
    .filter(([sql]) => sql.includes('${'))
    .map(([sql]) => `${path} ${sql.replace(/\s+/g, ' ').slice(0, 90)}`),
)
