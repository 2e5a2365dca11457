import { describe, expect, it } from 'vitest'
import { sourcesIn, withoutComments } from './sources.js'

describe('what comes from outside', () => {
  it('is read of a body through its schema', () => {
    expect(files(places(sources, /\bbodyOf\(ctx/))).toEqual([
      // Reading and handing on, the one-time key and the form's token, what goes on to the sign-in
      // page unread, and the names of fields that mean something else.
      'src/platform/http/request/body.ts',
      'src/platform/http/request/idempotency.ts',
      'src/platform/http/request/input.ts',
      'src/platform/http/request/parsedBody.ts',
      'src/platform/http/request/sheet.ts',
      'src/platform/http/request/unreadInput.ts',
      'src/platform/http/route/carriedForm.ts',
    ])
    expect(files(places(sources, /ctx\.request as|ctx\.request\.body|request\.body\b/))).toEqual([
      'src/platform/http/answer/sendAgain.ts',
      'src/platform/http/enteredFields.ts',
      'src/platform/http/request/parsedBody.ts',
      // The files of a body, and whether one was read.
      'src/platform/http/request/uploads.ts',
    ])
  })

  it('is shown again as it was typed by pages alone, and told the log by name', () => {
    expect(files(places(sources, /\benteredFields\(ctx/))).toEqual([
      'src/accounts/signIn/codeRoutes.ts',
      'src/accounts/signIn/emailCodeRoutes.ts',
      'src/accounts/signIn/passwordLinkRoutes.ts',
      'src/accounts/signIn/sessionRoutes.ts',
      'src/inbound/held/routes.ts',
      'src/incidents/pages/correctionRoutes.ts',
      'src/incidents/pages/desk/choiceRoutes.ts',
      'src/incidents/pages/desk/desk.ts',
      'src/incidents/pages/desk/deskMergeRoutes.ts',
      'src/incidents/pages/fixedQuestion/fixedQuestion.ts',
      'src/incidents/pages/reporting/guestReportFlow.ts',
      'src/incidents/pages/reporting/reportForm.ts',
      'src/incidents/pages/update/templateRoutes.ts',
      'src/incidents/pages/update/updateRoutes.ts',
      'src/maintenance/dateRoutes.ts',
      'src/platform/http/answer/errors.ts',
      'src/platform/http/answer/problemPages.ts',
      'src/platform/http/answer/sendAgain.ts',
      'src/platform/http/enteredFields.ts',
      'src/platform/http/protection/securityEvents.ts',
      'src/platform/http/records/resourceRoutes.ts',
      'src/triage/routes.ts',
    ])
  })

  it('is read of an address through its schema, where it does more than stand there again', () => {
    expect(files(places(sources, /ctx\.query\b/))).toEqual([
      'src/audit/routes.ts',
      'src/incidents/pages/listPage.ts',
      'src/incidents/pages/reporting/reportForm.ts',
      'src/platform/http/answer/renderView.ts',
      'src/platform/http/records/resourcePages.ts',
      'src/platform/http/request/paging.ts',
      'src/platform/http/request/query.ts',
      'src/status/statusFastPath.ts',
      'src/webhooks/deliveryLog/routes.ts',
    ])
  })
})

/** Code without its comments and without what its texts say: a text of ours stays as `''`. */
function bare(text: string): string {
  return withoutComments(text)
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
    .replace(/`(?:\\.|[^`\\])*`/g, "''")
}

/**
 * Where `in` asks whether a table has a name that is not one of ours: every object has
 * `constructor`, `toString` and the like, and `in` finds them. A loop over names and a
 * type are no such question.
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
      'src/platform/http/staticAssets.ts: for (const file of readdirSync(folder)) if (path.extname(file) in types) add(file, read(file))',
    ])
  })

  it('is not talked into being one of ours', () => {
    expect(files(places(sources, /\[\s*[\w.()]+ as keyof /))).toEqual([
      // Names that stand in a table of the same file, or were found in it by
      // Object.hasOwn; an event of the outbox.
      'src/audit/auditEntry.ts',
      'src/text/en/incidents.ts',
      'src/text/es/incidents.ts',
    ])
    expect(places(sources, /\[(ctx\.|given\.|asked\.)?(params|query|headers|cookies)\./)).toEqual([])
    expect(places(templates, /\[it\.(notice|url|path|query)\]/)).toEqual([])
  })

  it('is waited for with a deadline that Node.js keeps: it collects the timer behind AbortSignal.any', () => {
    expect(places(sources, /AbortSignal\.any\(/)).toEqual([])
  })
})

/** The code of a template alone. */
function withoutMarkup(file: (typeof templates)[number]) {
  return {
    ...file,
    text: [...file.text.matchAll(/<%[~=_-]?([\s\S]*?)%>/g)].map(([, inner]) => inner!.trim()).join('\n'),
  }
}

const sources = sourcesIn(['src', 'jobs', 'migrations'])
const templates = sourcesIn(['views'], '.eta')

/** Lines that match, with where they stand. */
function places(files: typeof sources, rule: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => rule.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
}

const files = (found: string[]) => [...new Set(found.map((each) => each.split(': ')[0]!))].sort()
