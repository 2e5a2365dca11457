import { demoPassword } from '../../src/vocabulary/people/demo.js'
import type { Role } from '../../src/vocabulary/people/permissions.js'
import { type Seen, startWorld, type World } from '../support/anonymity/worlds.js'
import { keys } from '../support/keys.js'

/**
 * The two who may be the reporter. They differ in everything a person has,
 * the length of it included.
 */
export const suspects = {
  x: {
    name: 'Wilhelmina Featherstonehaugh-Ó Súilleabháin',
    email: 'wilhelmina.featherstonehaugh@post.example',
    locale: 'es',
    notifications: { 'status.push': false, 'merged.mail': false },
    since: '2019-02-03T04:05:06Z',
    unitFrom: 'asc',
  },
  y: {
    name: 'Bo Li',
    email: 'bo@li.example',
    locale: 'en',
    notifications: {},
    since: '2026-11-01T00:00:00Z',
    unitFrom: 'desc',
  },
} as const

export type Suspect = keyof typeof suspects

/**
 * Whoever asks. `reporter` is one of the suspects, `neighbour` is a third resident. `office` acts
 * for the office: the reporter where that is staff, else the manager.
 */
export type Asker =
  | 'guest'
  | 'neighbour'
  | 'mobile'
  | 'manager'
  | 'x'
  | 'y'
  | 'reporter'
  | 'office'
  | 'cron'
  | 'inbound'

/** Those who must not learn who the reporter is. */
export const outsiders = ['guest', 'neighbour', 'mobile'] as const
export const neighbourEmail = 'resident@example.com'
/**
 * Somebody without an account who writes by email, and has pressed a link of ours:
 * more than five emails a day.
 */
export const writerEmail = 'stranger@post.example'
export const managerEmail = 'manager@example.com'
/** Somebody without an account who follows by email. */
export const followerEmail = 'jo@outside.test'

export type Asked = {
  method?: string
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, string>
  body?: FormData
}

/**
 * A world in which this suspect is the reporter, and has this role. `noted`: what the story made,
 * by name. `areNamed`: the suspects also act under their names, which shows their roles.
 */
export type Stage = World & {
  reporter: Suspect
  areNamed: boolean
  noted: Record<string, number>
  ask: (who: Asker, path: string, asked?: Asked) => Promise<Seen>
}

/** Builds a world, moves both suspects in, and signs everybody in. */
export async function startStage(
  reporter: Suspect,
  { role = 'resident', areNamed = true }: { role?: Role; areNamed?: boolean } = {},
): Promise<Stage> {
  const world = await startWorld()
  for (const [suspect, person] of Object.entries(suspects))
    await moveIn(world, person, suspect === reporter ? role : 'resident')
  await world.sql(
    `with known as (insert into email_followers (address, clicked_at) values ($1, now()), ($2, now())
       returning id, address)
     insert into email_follows (email_follower_id) select id from known where address = $1`,
    [followerEmail, writerEmail],
  )
  const credentials = await credentialsIn(world)
  const personOf = (who: Asker) => {
    if (who === 'reporter') return reporter
    if (who === 'office') return role === 'resident' ? 'manager' : reporter
    return who
  }
  const ask: Stage['ask'] = (who, path, asked = {}) =>
    world.request(path, requestOf(credentials[personOf(who)], asked))
  return { ...world, reporter, areNamed, noted: {}, ask }
}

async function moveIn(
  world: World,
  { name, email, locale, notifications, since, unitFrom }: Person,
  role: Role,
) {
  const person = { name, email, role, locale, notifications, created_at: since }
  await world.sql(
    `insert into users (name, email, role, locale, notifications, created_at, password_hash, unit_id)
     select person.name, person.email, person.role, person.locale, person.notifications,
       person.created_at, neighbour.password_hash, (select id from units order by id ${unitFrom} limit 1)
     from users neighbour, jsonb_populate_record(null::users, $1) person
     where neighbour.email = $2`,
    [JSON.stringify(person), neighbourEmail],
  )
}
type Person = (typeof suspects)[Suspect]

async function credentialsIn(world: World): Promise<Record<Exclude<Asker, 'reporter' | 'office'>, Headers>> {
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
  return {
    guest: {},
    neighbour: await signedIn(world, neighbourEmail),
    manager: await signedIn(world, managerEmail),
    x: await signedIn(world, suspects.x.email),
    y: await signedIn(world, suspects.y.email),
    mobile: bearer(keys.MOBILE_API_KEY),
    cron: bearer(keys.CRON_SECRET),
    inbound: bearer(keys.INBOUND_EMAIL_SECRET),
  }
}
type Headers = Record<string, string>

async function signedIn(world: World, email: string): Promise<Headers> {
  const asked = requestOf({}, { json: { email, password: demoPassword } })
  const { headers } = await world.request('/api/auth/sign-in/email', asked)
  const cookies = headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value.split(';')[0])
  return { cookie: cookies.join('; ') }
}

/** As a browser on our own pages would send it. */
function requestOf(credentials: Headers, { method, headers, json, form, body }: Asked): RequestInit {
  const sent = json === undefined ? (form ? new URLSearchParams(form) : body) : JSON.stringify(json)
  return {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: {
      ...credentials,
      'sec-fetch-site': 'same-origin',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  }
}

/** The JSON of an answer. */
export const jsonOf = <T>({ body }: Seen) => JSON.parse(body.toString()) as T
