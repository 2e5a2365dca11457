import { existsSync, readdirSync } from 'node:fs'
import { query } from '../../../../src/platform/db/database.js'
import { config } from '../../../../src/platform/process/config.js'
import { type Asked, people as roles, type Who } from '../../house/asking.js'
import { impactFaults } from '../../impacts.js'
import { picture } from '../../pictures.js'
import { scalar } from '../../rows.js'
import { perRun } from '../../run/extent.js'
import { asForm, sendUse, type Write } from '../writes.js'
import { type Encoding, nullFaults, scalarsOf } from './fields.js'
import { nextWord, strangeAddresses } from './outsideWords.js'

/** What must hold for every write: what is wrong with this one, in words. */
type WriteAssertion = (write: Write) => Promise<string[]>

const newestEntry = () => scalar<number>('select coalesce(max(id), 0) as id from audit_entries')

/**
 * The use itself: it succeeds, and leaves the audit entries it should and every
 * asset as its incidents say.
 */
const isAudited: WriteAssertion = async (write) => {
  const { audit = [], systemAudit = [] } = write.use
  const before = await newestEntry()
  const answer = await sendUse(write)
  if (answer.status >= 400) return [`the example is refused: ${answer.status} ${await answer.text()}`]
  const rows = await query<{ entry: string }>(
    `select actor_type || ' ' || action as entry from audit_entries
     where id > $1 and action <> 'asset.status_changed'`,
    [before],
  )
  const entries = rows.map(({ entry }) => entry).sort()
  const expected = [
    ...audit.map((action) => `user ${action}`),
    ...systemAudit.map((action) => `system ${action}`),
  ].sort()
  return [
    ...(entries.join() === expected.join() ? [] : [`entries: ${entries.join()}, not ${expected.join()}`]),
    ...(await impactFaults()),
  ]
}

/** What is wrong unless a body is refused with exactly these messages, by field. */
async function refusalFaults(write: Write, body: Asked, expected: Record<string, string>): Promise<string[]> {
  const answer = await write.send({ ...body, headers: { accept: 'application/json' } })
  const { errors = {} } = (await answer.json()) as { errors?: Record<string, string[]> }
  const wrong = Object.keys(expected).filter((field) => errors[field]?.join() !== expected[field])
  const faults = wrong.map((field) => `${field}: ${answer.status} ${errors[field]}`)
  return answer.status === 422 ? faults : [...faults, `the status is ${answer.status}`]
}

const stray = (name: string) => `Send files as multipart/form-data parts named ${name}`

/** A body with several files beside a form's fields. */
async function formWith(json: object, fileNames: string[]): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of asForm(json)) form.append(name, value)
  const file = new File([new Uint8Array(await picture())], 'p.jpg', { type: 'image/jpeg' })
  for (const name of fileNames) form.append(name, file)
  return form
}

const takesOneValuePerField: WriteAssertion = async (write) => {
  const faults: string[] = []
  for (const { what, role, body } of triesOf(write)) {
    const { status } = await write.send({ who: role, ...body })
    if (status < 400) faults.push(`${what} as ${role}: ${status}`)
  }
  return faults
}

const namesOtherOperations: WriteAssertion = async (write) => {
  const movedFields = Object.entries(write.endpoint.route!.movedFields)
  if (movedFields.length === 0) return []
  const messages = movedFields.map(([field, operation]) => [field, `Send this to ${operation} instead`])
  const faults: string[] = []
  for (const value of ['x', 1, true, false, ['x'], { x: 1 }]) {
    const json = Object.fromEntries(movedFields.map(([field]) => [field, value]))
    faults.push(...(await refusalFaults(write, { json }, Object.fromEntries(messages))))
  }
  return faults
}

const refusesStrayFiles: WriteAssertion = async (write) => {
  const { photos, sheet } = write.endpoint.route!
  if (!photos && !sheet) return []
  const taken = photos ? 'photos[]' : 'file'
  const refusal = { [taken.replace('[]', '')]: stray(taken) }
  const faults: string[] = []
  for (const name of ['picture', 'photo', 'photos[0]', 'files[]', photos ? 'file' : 'photos[]', '']) {
    const body = await formWith(write.use.json ?? {}, photos ? [name, taken] : [name])
    faults.push(...(await refusalFaults(write, { body }, refusal)))
  }
  return faults
}

const refusesPhotosAsText: WriteAssertion = async (write) => {
  if (!write.endpoint.route!.photos) return []
  const refusal = { photos: stray('photos[]') }
  const faults: string[] = []
  for (const field of ['photos', 'photos[]'])
    for (const value of ['data:image/jpeg;base64,xx', ['a'], [{ contentBase64: 'xx' }], { a: 1 }]) {
      const json = { ...write.use.json, [field]: value }
      faults.push(...(await refusalFaults(write, { json }, refusal)))
    }
  return faults
}

/** What an id that nothing has is answered with where that is no 404, and why. */
const answersToUnknown: { writes: RegExp; status: number; why: string }[] = [
  { writes: /^POST \/admin\/\w+\/:id$/, status: 409, why: 'a form says that its record is gone meanwhile' },
  { writes: /^POST \/admin\/\w+\/:id\/delete$/, status: 204, why: 'what is gone is deleted already' },
  { writes: /\/duplicates(\/preview)?$/, status: 422, why: 'the selected reports are looked for first' },
  { writes: /\/updates\/template$/, status: 204, why: 'puts words into a form, and asks for no report' },
  { writes: /\/admin\/maintenance\/:id\/preview$/, status: 200, why: 'shows what was typed, stored or not' },
]

/** The address of a write with an id that nothing has, in place of each of its ids. */
function unknownAddresses({ endpoint: { path }, use: { ids = [] } }: Write): string[] {
  const names = path.match(/:\w+/g) ?? []
  return names.map((_name, unknown) => {
    let at = -1
    return path.replaceAll(/:\w+/g, () => {
      at += 1
      return at === unknown ? '999999' : String(ids[at])
    })
  })
}

/** With a body that is right, something that is not there is a 404. */
const findsNothingUnknown: WriteAssertion = async (write) => {
  const { endpoint, use } = write
  const name = `${endpoint.method} ${endpoint.path}`
  const expected = answersToUnknown.find(({ writes }) => writes.test(name))?.status ?? 404
  const json = use.json ? { json: use.json } : {}
  const faults: string[] = []
  for (const address of unknownAddresses(write)) {
    const { status } = await write.send({ address, ...json, headers: { accept: 'application/json' } })
    if (status !== expected) faults.push(`${address}: ${status}`)
  }
  return faults
}

/** Bodies that no route reads: of another type, in another charset, compressed in another way. */
const unreadable: Record<string, string>[] = [
  { 'content-type': 'application/xml' },
  { 'content-type': 'text/csv' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': 'application/json', 'content-encoding': 'compress' },
]

let unreadableTurn = 0

/** Routes that read no body at all: cron jobs, and links of emails that act at once. */
const readsNoBody = /^POST (\/api)?\/(cron|unsubscribe|follow\/:token)/

const refusesAnotherType: WriteAssertion = async (write) => {
  const { method, path } = write.endpoint
  if (readsNoBody.test(`${method} ${path}`)) return []
  const faults: string[] = []
  for (const headers of perRun({
    quick: { every: unreadable.length, from: unreadableTurn++ % unreadable.length },
    whole: unreadable,
  })) {
    const answer = await write.send({ body: '{}', headers: { accept: 'application/json', ...headers } })
    const { code } = (await answer.json().catch(() => ({}))) as { code?: string }
    if (answer.status !== 415 || code !== 'unsupported_type')
      faults.push(`${Object.values(headers).join()}: ${answer.status} ${code}`)
  }
  return faults
}

/** Leaves nothing in the audit log while every request of the assertion is refused. */
const withoutEntry =
  (assertion: WriteAssertion): WriteAssertion =>
  async (write) => {
    const before = await newestEntry()
    const faults = await assertion(write)
    return (await newestEntry()) === before ? faults : [...faults, 'something was stored']
  }

/**
 * In JSON `name[]` is the name of another field, and one nobody knows is ignored (decision 4.3).
 */
const ignoresUnknownFields: WriteAssertion = async (write) => {
  const { body, movedFields } = write.endpoint.route!
  const fields = scalarsOf(body, 'json', {}).map(([name, value]) => [`${name}[]`, value])
  const empty = Object.keys(movedFields).map((name, i) => [name, [null, '', []][i % 3]])
  if (fields.length + empty.length === 0) return []
  const json = { ...write.use.json, ...Object.fromEntries([...fields, ...empty]) }
  const answer = await write.send({ json, headers: { accept: 'application/json' } })
  const { errors = {} } = answer.status === 422 ? ((await answer.json()) as { errors?: object }) : {}
  return Object.keys(movedFields)
    .filter((name) => name in errors)
    .map((name) => `empty ${name} is refused`)
}

/** No file is stored by a write that takes none. */
const storesNoFile: WriteAssertion = async (write) => {
  if (write.endpoint.method !== 'POST' || write.endpoint.route!.photos) return []
  await write.send({ body: await formWith({}, ['photos[]']) })
  const stored = existsSync(config.uploadDir) ? readdirSync(config.uploadDir, { recursive: true }) : []
  return stored.map((file) => `${file} is stored`)
}

const namesOfFields = ['newStatus', 'severity', 'direction', 'platform', 'kind', 'locale', 'recurrence']
const namesOfTexts = [
  'title',
  'body',
  'note',
  'name',
  'csv',
  'from',
  'subject',
  'messageId',
  'enabled',
  'url',
]

/**
 * A word that every object answers to is like any other, as a value, as a name and in the address.
 */
const takesOutsideWordsAsText: WriteAssertion = async (write) => {
  const { path } = write.endpoint
  const others = /sign-out|sign-in|account/.test(path) ? [] : callers
  for (const who of perRun<(Who | undefined)[]>({ quick: [undefined], whole: [undefined, ...others] })) {
    const [word, key] = [nextWord(), nextWord()]
    const values = Object.fromEntries(
      [...namesOfFields, ...namesOfTexts, 'statusReason'].map((name) => [name, word]),
    )
    const odd = { toString: 1, valueOf: 1 }
    const within = { events: [word], attachments: [{ [word]: [] }], title: { [word]: 1 } }
    const inside = { ...values, ...within, ids: [odd], assetId: odd, headers: { [word]: odd } }
    const inForm = { ...values, [word]: 'x', [`title[${word}]`]: 'x', [`${word}[title]`]: 'x' }
    const json = { 'content-type': 'application/json' }
    const html = { accept: 'text/html' }
    const bodies: Asked[] = [
      { body: `{"${word}":"x","${word}[]":"x"}`, headers: json },
      { body: JSON.stringify(values), headers: { ...json, 'idempotency-key': key } },
      { body: JSON.stringify(inside), headers: { ...json, ...html, 'idempotency-key': `${key}2` } },
      { form: inForm, headers: html },
    ]
    for (const body of perRun({ quick: { every: 2, from: bodiesFrom++ % 2 }, whole: bodies }))
      await write.send({ ...(who ? { who } : {}), ...body })
    if (/:|\{/.test(path))
      for (const address of strangeAddresses(path)) await write.send({ ...(who ? { who } : {}), address })
  }
  return []
}

let bodiesFrom = 0
/** Accounts the other examples need: they neither sign out nor change their own. */
const callers = ['guest', 'resident', 'admin'] as const

/**
 * What holds for every write, by the name a failure shows; in this order, as the
 * use can be made only once.
 */
export const writeAssertions: Record<string, WriteAssertion> = {
  'null as nothing': ({ endpoint }) => nullFaults(endpoint.route!),
  'one value per field': withoutEntry(takesOneValuePerField),
  'fields of another operation': withoutEntry(namesOtherOperations),
  'files under another name': withoutEntry(refusesStrayFiles),
  'photos as text': withoutEntry(refusesPhotosAsText),
  'unknown id': withoutEntry(findsNothingUnknown),
  'another type': withoutEntry(refusesAnotherType),
  'audit log': isAudited,
  'unknown fields': ignoresUnknownFields,
  'no file': storesNoFile,
  'outside words': takesOutsideWordsAsText,
}

type Try = { what: string; role: Who; body: Asked }
const spellings = ['[]', 'twice', 'nested'] as const
type Spelling = (typeof spellings)[number]
const spelled = {
  urlencoded: spellings,
  multipart: spellings,
  // `name[]` is another field there.
  json: ['twice', 'nested'],
} as const
const ways = (Object.keys(spelled) as Encoding[]).flatMap((encoding) =>
  spelled[encoding].map((spelling) => ({ encoding, spelling })),
)
let turn = 0

/**
 * Every field that takes one value, sent as several, in one of the ways after the other. In the
 * whole run the caller sends each in every way, and everyone else in one of them.
 */
function triesOf({ endpoint, use }: Write): readonly Try[] {
  const caller = use.who ?? 'admin'
  const json = use.json ?? {}
  turn++
  const tries = (role: Who, isEvery: boolean) =>
    ways.flatMap(({ encoding, spelling }, way) =>
      scalarsOf(endpoint.route!.body, encoding, json).flatMap(([name, value], i): Try[] => {
        if (!isEvery && (i + turn) % ways.length !== way) return []
        // The first is answered with its page, the others with the same in fewer words.
        const headers: Record<string, string> =
          i === 0 && role === caller ? {} : { accept: 'application/json' }
        const body = { ...bodyWith(json, [name, value], spelling, encoding), headers }
        return [{ what: `${name} ${spelling} ${encoding}`, role, body }]
      }),
    )
  const others = (['guest', ...roles, 'mobile'] as const).filter((role) => role !== caller)
  return perRun({
    quick: tries(caller, false),
    whole: [...tries(caller, true), ...others.flatMap((role) => tries(role, false))],
  })
}

/** A body with one field in another spelling, the others as they are. */
function bodyWith(
  json: object,
  [name, value]: [string, unknown],
  spelling: Spelling,
  encoding: Encoding,
): Asked {
  const { [name]: _own, ...others } = json as Record<string, unknown>
  if (encoding === 'json') {
    const several = { '[]': [value], twice: [value, value], nested: { x: value } }
    return { json: { ...others, [name]: several[spelling] } }
  }
  const keys = { '[]': [`${name}[]`], twice: [name, name], nested: [`${name}[x]`] }
  const pairs = [...asForm(others), ...keys[spelling].map((key): [string, string] => [key, String(value)])]
  if (encoding === 'urlencoded') return { body: new URLSearchParams(pairs) }
  const body = new FormData()
  for (const [key, text] of pairs) body.append(key, text)
  return { body }
}
