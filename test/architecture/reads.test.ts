import { describe, expect, it } from 'vitest'
import { readCheckout } from '../support/compiled.js'
import { sourcesIn } from './sources.js'

describe('a read', () => {
  it('leaves the names of columns to the mapper', () => {
    const aliases = sources.flatMap(({ path, code }) =>
      [...code.matchAll(/\bas "[a-z]+[A-Z]\w*"/g)].map(([alias]) => `${path}: ${alias}`),
    )
    expect(aliases).toEqual([])
  })

  it('of one table is a model or the builder, and no counted parameters', () => {
    const counted: Record<string, number> = {}
    for (const { path: file } of ofOneTable) counted[file] = (counted[file] ?? 0) + 1
    const known = Object.fromEntries(Object.entries(allowed).map(([file, [count]]) => [file, count]))
    expect(counted).toEqual(known)
    expect(Object.values(known).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(20)
  })

  it('and a write have six values or more as an object, by the names of the fields', () => {
    const counted = every.filter(({ text }) => /^insert into\b.*\bvalues \(.*\$6\b/i.test(text))
    expect(counted).toEqual([])
  })
})

/** Without comments, which speak of SQL as well. */
const sources = sourcesIn(['src', 'jobs']).map(({ path, text }) => ({
  path,
  code: text.replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, ''),
}))

const statements =
  /`\s*(?:select|insert into|update \w+(?: \w+)? set|delete from)\b[^`]*`|'(?:select|insert into|update \w+(?: \w+)? set|delete from)\b[^'\n]*'/gi

/** What whole SQL is for: joins, sets, locks, upserts, and values that the database computes. */
const beyondOneTable =
  /\b(?:join|with|union|exists|on conflict|case|interval|using|distinct)\b|\bset\b.+\bfrom\b|\bfor (?:(?:no )?key )?(?:update|share)\b|\(\s*select\b|\) select\b|::|\|\||\$\{|\bfrom \w+(?: \w+)?,/i

const computed = /\b(?!(?:values|any|in|and|or|not|where)\b)\w+ ?\(/i
const schema = readCheckout('migrations/schema.sql')
const tables = new Set([...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name]) => name))

/** The table a statement reads or writes first. */
const tableOf = (text: string) => /\b(?:from|into|update) (\w+)/i.exec(text)?.[1]

/** Databases that no pool of ours is open to have clients of their own. */
const clients = /^src\/operations\/backup\//

const every = sources.flatMap(({ path, code }) =>
  [...code.matchAll(statements)].map(([text]) => ({
    path,
    text: text.slice(1, -1).replace(/\s+/g, ' ').trim(),
  })),
)

/** Statements that read or write rows of one table of ours and compute nothing. */
const ofOneTable = every.filter(
  ({ path, text }) =>
    !clients.test(path) &&
    tables.has(tableOf(text)) &&
    !beyondOneTable.test(text) &&
    !computed.test(text.replace(/^insert into \w+ \(/i, '')),
)

/** Why statements of one table are SQL all the same, and how many of a file are. */
const allowed: Record<string, [count: number, reason: string]> = {
  'src/accounts/import/contactImporter.ts': [1, 'planned with the query that is given'],
  'src/accounts/import/residentImporter.ts': [1, 'planned with the query that is given'],
  'src/accounts/import/unitImporter.ts': [1, 'planned with the query that is given'],
  'src/accounts/people/personData.ts': [5, 'one list of what is kept of a person, half of it with joins'],
  'src/building/followedNames.ts': [1, 'the model of incidents is in a room above'],
  'src/incidents/model/incidentFollowers.ts': [1, 'prepared: the page of a report'],
  'src/incidents/model/photos/photos.ts': [1, 'prepared: emails about a report'],
  'src/incidents/model/timeline/anonymity.ts': [1, 'with the query that is given'],
  'src/notifications/emails/emailDelivery.ts': [1, 'a write outside a change, as an email leaves'],
  'src/notifications/fanOut.ts': [1, 'prepared: after every commit'],
  'src/platform/http/protection/actCounters.ts': [1, 'prepared: every sign-in'],
  'src/platform/http/session/sessionTable.ts': [2, 'prepared: requests with a session'],
  'src/platform/outbox/sendingPaused.ts': [1, 'prepared: pages of staff'],
  'src/status/impacts/storeImpacts.ts': [1, 'with the query that is given'],
  'src/status/queries/year.ts': [1, 'in the snapshot of the year'],
}
