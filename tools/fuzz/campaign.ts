import fc from 'fast-check'
import { query } from '../../src/platform/db/database.js'
import type { Description } from '../../src/platform/http/description/document.js'
import { send } from '../../test/support/client.js'
import { impactFaults } from '../../test/support/impacts.js'
import { requireDeclared } from '../../test/support/routes/answers.js'
import { type Canaries, faultsIn, type Heard } from './oracle.js'
import { type Asker, bearerOf, type Drawn, sequencesOf } from './requests.js'
import { made } from './values.js'
import { again, bytesOf, overSocket } from './wire.js'

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
  const people = await remembered()
  for (let n = 0; outcome.requests < campaign.requests && outcome.faults.length < mostFaults; n++) {
    const cookies = await people.signedIn(campaign.signIn)
    const drawn = fc.sample(sequences, { seed: campaign.seed + n, numRuns: batch })
    const findings = new Findings()
    const work = async () => {
      for (let next = drawn.pop(); next; next = drawn.pop())
        if (outcome.requests < campaign.requests) await play(next, { campaign, cookies, outcome, findings })
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    for (const fault of [...(await findings.faults()), ...(await databaseFaults())])
      outcome.faults.push(`after batch ${n} of seed ${campaign.seed}: ${fault}`)
  }
  return outcome
}

type Playing = { campaign: Campaign; cookies: Map<Asker, string>; outcome: Outcome; findings: Findings }

/** One request after the other; each can name what the sequence made before it. */
async function play(sequence: Drawn[], { campaign, cookies, outcome, findings }: Playing): Promise<void> {
  let latest = '1'
  for (const [i, each] of sequence.entries()) {
    const asked = withCredentials(withMade(each, latest), cookies)
    outcome.requests++
    const found = await ask(campaign, asked, findings, outcome).catch((error: Error) => ({
      heard: null,
      faults: [`is not answered: ${error.message}`],
    }))
    for (const fault of found.faults)
      outcome.faults.push(
        `${asked.method} ${asked.path.slice(0, 200)} as ${each.who} (${i + 1} of its sequence, seed ${campaign.seed}) ${fault}\n  ${again(asked, campaign.origin).slice(0, 4_000)}`,
      )
    latest = idIn(found.heard) ?? latest
  }
}

async function ask(
  { origin, canaries }: Campaign,
  asked: Drawn,
  findings: Findings,
  outcome: Outcome,
): Promise<{ heard: Heard | null; faults: string[] }> {
  const count = (status: number) => {
    outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
  }
  const { method, path, headers, body, who } = asked
  if (asked.wounds) {
    outcome.raw++
    const sent = bytesOf(asked, new URL(origin).host)
    const text = (await overSocket(origin, sent)).toString('latin1')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0)
    count(status)
    const heard = { status, type: '', text, retryAfter: /^retry-after: (.+)$/im.exec(text)?.[1] ?? null }
    const isHttp = text === '' || status > 0
    const faults = faultsIn(heard, who, sent.toString('latin1'), canaries)
    return { heard: null, faults: isHttp ? faults : ['answers something else than HTTP', ...faults] }
  }
  const given = body && method !== 'GET' && method !== 'HEAD' ? new Uint8Array(body) : undefined
  const sending = () => send(origin + path, { method, headers, body: given })
  const { answer, text } = await sending().catch(() => {
    outcome.unanswered++
    return sending()
  })
  count(answer.status)
  const heard = {
    status: answer.status,
    type: answer.headers.get('content-type')?.split(';')[0] ?? '',
    text: method === 'HEAD' ? '' : await text(),
    retryAfter: answer.headers.get('retry-after'),
  }
  findings.note(answer.headers.get('x-request-id'), asked, heard.status)
  const sent = `${path} ${decodedPath(path)} ${Object.values(headers).join(' ')} ${body?.toString() ?? ''}`
  const faults = faultsIn(heard, who, sent, canaries)
  const undeclared = await requireDeclared(method, path, answer, text).then(
    () => [],
    (error: Error) => [error.message.slice(0, 600)],
  )
  return { heard, faults: [...faults, ...undeclared] }
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

const numbered = new RegExp(`"?(?:${made}|\\\\u0001made)"?`, 'g')

function withMade(drawn: Drawn, latest: string): Drawn {
  const body = drawn.body?.includes('made')
    ? Buffer.from(drawn.body.toString().replace(numbered, latest))
    : drawn.body
  return { ...drawn, body, path: drawn.path.replaceAll(encodeURIComponent(made), latest) }
}

function withCredentials(drawn: Drawn, cookies: Map<Asker, string>): Drawn {
  const cookie = cookies.get(drawn.who)
  const bearer = bearerOf[drawn.who]
  return {
    ...drawn,
    headers: {
      ...(cookie ? { cookie } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...drawn.headers,
    },
  }
}

/** The id of what an answer says was made. */
function idIn(heard: Heard | null): string | null {
  if (heard?.type !== 'application/json' || heard.status !== 201) return null
  const { id } = JSON.parse(heard.text) as { id?: number }
  return id === undefined ? null : String(id)
}

/**
 * The demo people and the building's settings, given back before each batch: what is
 * drawn may lock everybody out.
 */
async function remembered() {
  const table = (name: string) =>
    query<{ row: object }>(`select to_jsonb(t) as row from ${name} t where ${kept[name]}`)
  const stored = await Promise.all(Object.keys(kept).map(async (name) => [name, await table(name)] as const))
  const columns = new Map<string, string>()
  for (const name of Object.keys(kept)) {
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
const kept: Record<string, string> = { users: `email like '%@example.com'`, properties: 'true' }

/** Which requests left audit entries. */
class Findings {
  private readonly asked = new Map<string, { drawn: Drawn; status: number }>()

  note(requestId: string | null, drawn: Drawn, status: number): void {
    if (requestId) this.asked.set(requestId, { drawn, status })
  }

  /**
   * What was refused or only read left no entry; but for a sign-in, and what ended because of it.
   */
  async faults(): Promise<string[]> {
    const rows = await query<{ id: string; actions: string[] }>(
      `select request_id as id, array_agg(distinct action) as actions from audit_entries
       where request_id = any ($1) group by request_id`,
      [[...this.asked.keys()]],
    )
    return rows.flatMap(({ id, actions }) => {
      const { drawn, status } = this.asked.get(id)!
      const left = actions.filter((action) => !ofDoors.test(action))
      const mayWrite = status < 400 && !['GET', 'HEAD', 'OPTIONS'].includes(drawn.method)
      return mayWrite || left.length === 0
        ? []
        : [`${drawn.method} ${drawn.path.slice(0, 200)} (${status}) left ${left.join()} in the audit log`]
    })
  }
}
const ofDoors = /^user\.(?:sign|session|code|password|reset|invitation)/

/** What no order of requests may make of the database. */
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
