import fc from 'fast-check'
import { query } from '../../src/platform/db/database.js'
import type { Description } from '../../src/platform/http/description/document.js'
import { send } from '../../test/support/client.js'
import { impactFaults } from '../../test/support/impacts.js'
import { requireDeclared } from '../../test/support/routes/answers.js'
import { type Canaries, faultsIn, type SeenAnswer } from './oracle.js'
import { type Asker, bearerOf, type FuzzRequest, sequencesOf } from './requests.js'
import { latestId } from './values.js'
import { bytesOf, overSocket, repeatCommand } from './wire.js'

export type Campaign = {
  origin: string
  seed: number
  requests: number
  document: Description
  canaries: Canaries
  /** Signs a demo person in, as they were at the start; returns the Cookie header. */
  signIn: (who: Asker) => Promise<string>
}

/**
 * What came of it: answers by status (0: the connection was closed without one), requests sent
 * again because their connection broke, and faults with the way to repeat them.
 */
export type Outcome = {
  requests: number
  raw: number
  statuses: Record<number, number>
  unanswered: number
  faults: string[]
}

/** Sequences drawn at once, between two looks at what they left. */
const batch = 60
/** Sequences under way at the same time. */
const atOnce = 8
/** A run that has found so much wrong has found enough. */
const mostFaults = 25

/** Sends requests until there were so many. The same seed draws the same again. */
export async function fuzz(campaign: Campaign): Promise<Outcome> {
  const outcome: Outcome = { requests: 0, raw: 0, statuses: {}, unanswered: 0, faults: [] }
  const sequences = sequencesOf(campaign.document)
  const people = await demoStateKeeper()
  for (let n = 0; outcome.requests < campaign.requests && outcome.faults.length < mostFaults; n++) {
    const cookies = await people.signedIn(campaign.signIn)
    const drawnSequences = fc.sample(sequences, { seed: campaign.seed + n, numRuns: batch })
    const auditTraces = new AuditTraces()
    const work = async () => {
      for (let next = drawnSequences.pop(); next; next = drawnSequences.pop())
        if (outcome.requests < campaign.requests)
          await play(next, { campaign, cookies, outcome, auditTraces })
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    for (const fault of [...(await auditTraces.faults()), ...(await databaseFaults())])
      outcome.faults.push(`after batch ${n} of seed ${campaign.seed}: ${fault}`)
  }
  return outcome
}

type Playing = { campaign: Campaign; cookies: Map<Asker, string>; outcome: Outcome; auditTraces: AuditTraces }

/** One request after the other; each can name what the sequence made before it. */
async function play(
  sequence: FuzzRequest[],
  { campaign, cookies, outcome, auditTraces }: Playing,
): Promise<void> {
  let latest = '1'
  for (const [i, each] of sequence.entries()) {
    const request = withCredentials(withLatestId(each, latest), cookies)
    outcome.requests++
    const result = await ask(campaign, request, auditTraces, outcome).catch((error: Error) => ({
      answered: null,
      faults: [`is not answered: ${error.message}`],
    }))
    for (const fault of result.faults)
      outcome.faults.push(
        `${request.method} ${request.path.slice(0, 200)} as ${each.who} (${i + 1} of its sequence, seed ${campaign.seed}) ${fault}\n  ${repeatCommand(request, campaign.origin).slice(0, 4_000)}`,
      )
    latest = idIn(result.answered) ?? latest
  }
}

async function ask(
  { origin, canaries }: Campaign,
  request: FuzzRequest,
  auditTraces: AuditTraces,
  outcome: Outcome,
): Promise<{ answered: SeenAnswer | null; faults: string[] }> {
  const count = (status: number) => {
    outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
  }
  const { method, path, headers, body, who } = request
  if (request.wounds) {
    outcome.raw++
    const sent = bytesOf(request, new URL(origin).host)
    const text = (await overSocket(origin, sent)).toString('latin1')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0)
    count(status)
    const answered = { status, type: '', text, retryAfter: /^retry-after: (.+)$/im.exec(text)?.[1] ?? null }
    const isHttp = text === '' || status > 0
    const faults = faultsIn(answered, who, sent.toString('latin1'), canaries)
    return { answered: null, faults: isHttp ? faults : ['answers something else than HTTP', ...faults] }
  }
  const sentBody = body && method !== 'GET' && method !== 'HEAD' ? new Uint8Array(body) : undefined
  const sending = () => send(origin + path, { method, headers, body: sentBody })
  const { answer, text } = await sending().catch(() => {
    outcome.unanswered++
    return sending()
  })
  count(answer.status)
  const answered = {
    status: answer.status,
    type: answer.headers.get('content-type')?.split(';')[0] ?? '',
    text: method === 'HEAD' ? '' : await text(),
    retryAfter: answer.headers.get('retry-after'),
  }
  auditTraces.note(answer.headers.get('x-request-id'), request, answered.status)
  const sent = `${path} ${decodedPath(path)} ${Object.values(headers).join(' ')} ${body?.toString() ?? ''}`
  const faults = faultsIn(answered, who, sent, canaries)
  const undeclared = await requireDeclared(method, path, answer, text).then(
    () => [],
    (error: Error) => [error.message.slice(0, 600)],
  )
  return { answered, faults: [...faults, ...undeclared] }
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

const latestIdPattern = new RegExp(`"?(?:${latestId}|\\\\u0001made)"?`, 'g')

function withLatestId(request: FuzzRequest, latest: string): FuzzRequest {
  const body = request.body?.includes('made')
    ? Buffer.from(request.body.toString().replace(latestIdPattern, latest))
    : request.body
  return { ...request, body, path: request.path.replaceAll(encodeURIComponent(latestId), latest) }
}

function withCredentials(request: FuzzRequest, cookies: Map<Asker, string>): FuzzRequest {
  const cookie = cookies.get(request.who)
  const bearer = bearerOf[request.who]
  return {
    ...request,
    headers: {
      ...(cookie ? { cookie } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...request.headers,
    },
  }
}

/** The id of what an answer says was made. */
function idIn(answered: SeenAnswer | null): string | null {
  if (answered?.type !== 'application/json' || answered.status !== 201) return null
  const { id } = JSON.parse(answered.text) as { id?: number }
  return id === undefined ? null : String(id)
}

/**
 * Keeps the demo people and the building's settings, and restores them before each batch: a request
 * of the one before may have locked everyone out. `signedIn` also signs the people in.
 */
async function demoStateKeeper() {
  const table = (name: string) =>
    query<{ row: object }>(`select to_jsonb(t) as row from ${name} t where ${rowsToRestore[name]}`)
  const stored = await Promise.all(
    Object.keys(rowsToRestore).map(async (name) => [name, await table(name)] as const),
  )
  const columns = new Map<string, string>()
  for (const name of Object.keys(rowsToRestore)) {
    const rows = await query<{ column: string }>(
      `select column_name as column from information_schema.columns
       where table_name = $1 and column_name <> 'id' and is_generated = 'NEVER'`,
      [name],
    )
    columns.set(name, rows.map(({ column }) => `"${column}"`).join(', '))
  }
  return {
    async signedIn(signIn: Campaign['signIn']): Promise<Map<Asker, string>> {
      for (const [name, rows] of stored)
        for (const { row } of rows)
          await query(
            `update ${name} t set (${columns.get(name)}) =
               (select ${columns.get(name)} from jsonb_populate_record(t, $1))
             where t.id = ($1::jsonb ->> 'id')::integer`,
            [JSON.stringify(row)],
          )
      await query('delete from throttles')
      const cookies = new Map<Asker, string>()
      for (const who of ['resident', 'board', 'manager', 'admin'] as const)
        cookies.set(who, await signIn(who))
      cookies.set('wrongCookie', cookies.get('admin')!.replace(/(caretaker=[^.;]*\.).{4}/, '$1AAAA'))
      return cookies
    },
  }
}
const rowsToRestore: Record<string, string> = { users: `email like '%@example.com'`, properties: 'true' }

/** The requests of a batch, and the audit entries they left. */
class AuditTraces {
  private readonly requests = new Map<string, { request: FuzzRequest; status: number }>()

  note(requestId: string | null, request: FuzzRequest, status: number): void {
    if (requestId) this.requests.set(requestId, { request, status })
  }

  /**
   * A request that was refused or only reads leaves no audit entry, except those of signing in and
   * of what a sign-in ends.
   */
  async faults(): Promise<string[]> {
    const rows = await query<{ id: string; actions: string[] }>(
      `select request_id as id, array_agg(distinct action) as actions from audit_entries
       where request_id = any ($1) group by request_id`,
      [[...this.requests.keys()]],
    )
    return rows.flatMap(({ id, actions }) => {
      const { request, status } = this.requests.get(id)!
      const unexpected = actions.filter((action) => !signInActions.test(action))
      const mayWrite = status < 400 && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)
      return mayWrite || unexpected.length === 0
        ? []
        : [
            `${request.method} ${request.path.slice(0, 200)} (${status}) left ${unexpected.join()} in the audit log`,
          ]
    })
  }
}
const signInActions = /^user\.(?:sign|session|code|password|reset|invitation)/

/** Rules of the database that no order of requests may break; each row is a fault. */
async function databaseFaults(): Promise<string[]> {
  const rows = await query<{ fault: string }>(`
    select 'INC-' || d.id || ' is merged into INC-' || s.id || ', which is merged itself' as fault
      from incidents d join incidents s on s.id = d.merged_into_id where s.merged_into_id is not null or s.id = d.id
    union all
    select 'INC-' || id || ' is ' || status || ' and resolved at ' || coalesce(resolved_at::text, 'no time')
    from incidents
      where (status in ('resolved', 'verified')) <> (resolved_at is not null)
    union all
    select 'INC-' || id || ' has been made without an audit entry' from incidents i
      where not exists (select from audit_entries a where a.action = 'incident.created' and a.entity_id = i.id)
    union all
    select 'update ' || u.id || ' is in no incident' from incident_updates u
      where not exists (select from incidents i where i.id = u.incident_id)`)
  return [...rows.map(({ fault }) => fault), ...(await impactFaults())]
}
