import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

const sources = sourcesIn(['src', 'jobs', 'migrations'])
const templates = sourcesIn(['views'], '.eta')

/** Code without its comments, whose words are no operators. */
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

/** Lines that match, with where they stand. */
function places(files: typeof sources, rule: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    code(text)
      .split('\n')
      .filter((line) => rule.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
}

const files = (found: string[]) => [...new Set(found.map((each) => each.split(': ')[0]!))].sort()

describe('what comes from outside', () => {
  it('is read of a body through its schema', () => {
    expect(files(places(sources, /\bbodyOf\(ctx/))).toEqual([
      // Reading and handing on, the one-time key and the form's token, what goes on to the sign-in page unread, and
      // the names of fields that mean something else.
      'src/web/request/body.ts',
      'src/web/request/draft.ts',
      'src/web/request/idempotency.ts',
      'src/web/request/input.ts',
      'src/web/request/misplaced.ts',
      'src/web/request/sheetBody.ts',
    ])
    expect(files(places(sources, /ctx\.request as|ctx\.request\.body|request\.body\b/))).toEqual([
      'src/web/request/body.ts',
      'src/web/request/input.ts',
      // The files of a body, and whether one was read.
      'src/web/request/receivedFiles.ts',
      'src/web/request/typedAgain.ts',
    ])
  })

  it('is shown again as it was typed by pages alone, and told the log by name', () => {
    expect(files(places(sources, /\btypedIn\(ctx/))).toEqual([
      'src/pages/incidents/guestReport.ts',
      'src/pages/incidents/reportPage.ts',
      'src/pages/incidents/suggestionPanel.ts',
      'src/routes/accounts/passwordReset.ts',
      'src/routes/accounts/session.ts',
      'src/routes/accounts/signInCode.ts',
      'src/routes/accounts/signInLink.ts',
      'src/routes/incidents/corrections.ts',
      'src/routes/incidents/desk.ts',
      'src/routes/incidents/templates.ts',
      'src/routes/mail/heldMails.ts',
      'src/routes/maintenance/dates.ts',
      'src/routes/records/resource.ts',
      'src/web/answer/errors.ts',
      'src/web/protection/securityLog.ts',
      'src/web/request/input.ts',
      'src/web/request/typedAgain.ts',
    ])
  })

  it('is read of an address through its schema, where it does more than stand there again', () => {
    expect(files(places(sources, /ctx\.query\b/))).toEqual([
      'src/pages/incidents/incidentList.ts',
      'src/pages/incidents/reportPage.ts',
      'src/pages/records/pages.ts',
      'src/pages/status/statusFastPath.ts',
      'src/pages/webhooks/subscriptionForm.ts',
      'src/routes/audit/audit.ts',
      'src/web/answer/respond.ts',
      'src/web/request/input.ts',
      'src/web/request/paging.ts',
    ])
  })
})

/** Code without its comments and without what its texts say: a text of ours stays as `''`. */
function bare(text: string): string {
  return code(text)
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
    .replace(/`(?:\\.|[^`\\])*`/g, "''")
}

/**
 * Where `in` asks whether a table has a name that is not one of ours: every object has `constructor`, `toString` and the
 * like, and `in` finds them. A loop over names and a type are no such question.
 */
function asking(file: (typeof sources)[number]): string[] {
  return [...bare(file.text).matchAll(/[^\n]*\S in [^\n]*/g)]
    .map(([line]) => line.trim())
    .filter((line) => /(?<!'')(?<!\bfor \((const|let) \w+)(?<!\[\w+) in [\w.$({]/.test(line))
    .map((line) => `${file.path}: ${line}`)
}

describe('a name from outside', () => {
  it('is looked for among what a table has itself', () => {
    expect([...sources, ...templates.map(withoutMarkup)].flatMap(asking)).toEqual([
      // Names of files in our own folder, of what people can be told.
      'src/web/answer/static.ts: for (const file of readdirSync(folder)) if (path.extname(file) in types) add(file, read(file))',
    ])
  })

  it('is not talked into being one of ours', () => {
    expect(files(places(sources, /\[\s*[\w.()]+ as keyof /))).toEqual([
      // Names that stand in a table of the same file, or were found in it by Object.hasOwn; an event of the outbox.
      'src/mails/pushDelivery.ts',
      'src/models/audit/auditEntry.ts',
      'src/models/audit/auditExport.ts',
      'src/models/incidents/search/filters.ts',
      'src/text/en/residents.ts',
      'src/text/es/residents.ts',
    ])
    expect(places(sources, /\[(ctx\.|given\.|asked\.)?(params|query|headers|cookies)\./)).toEqual([])
    expect(places(templates, /\[it\.(notice|url|path|query)\]/)).toEqual([])
  })

  it('is found by these rules where it is used so', () => {
    const found = (text: string) => asking({ path: 'x', text, imports: [] }).length > 0
    expect(found('if (tag in texts) return')).toBe(true)
    expect(found("if (!(sort.replace(/^-/, '') in listing.sorts)) throw x")).toBe(true)
    expect(found("if ('cents' in read || name in table) return")).toBe(true)
    expect(found("type X = { [K in keyof T]: T }\nif ('cents' in read) return\nfor (const x in y) z()")).toBe(
      false,
    )
    expect(found('query(`where id in (1)`) // one in (all)')).toBe(false)
  })
})

/** The code of a template alone. */
function withoutMarkup(file: (typeof templates)[number]) {
  return {
    ...file,
    text: [...file.text.matchAll(/<%[~=_-]?([\s\S]*?)%>/g)].map(([, inner]) => inner!.trim()).join('\n'),
  }
}
