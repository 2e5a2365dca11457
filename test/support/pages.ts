import { randomUUID } from 'node:crypto'
import { unsubscribeLinks } from '../../src/notifications/unsubscribe/unsubscribeLinks.js'
import { query } from '../../src/platform/db/database.js'
import { mintLink } from '../../src/platform/links/emailLinks.js'
import { decideAccess, type Permission } from '../../src/vocabulary/people/permissions.js'
import { mailedLinks, userIdOf } from './accounts.js'
import { emailFollower } from './email/emailFollowers.js'
import { heldEmail } from './email/heldEmails.js'
import { emptyOutbox } from './email/messages.js'
import { aWholeEmail } from './email/wholeEmails.js'
import type { Who } from './house/asking.js'
import type { House } from './house/house.js'
import { maya } from './house/people.js'
import { dismissedReport, hiddenReport } from './house/report.js'
import { readEndpoints } from './routes/endpoints.js'
import { column, scalar } from './rows.js'

/** Real addresses by the router's path. */
export type Examples = Record<string, string[]>

/** Everybody who looks at pages; machines do not. */
export const readers = ['guest', 'resident', 'board', 'manager', 'admin'] as const satisfies readonly Who[]
export type Reader = (typeof readers)[number]

/** A route a browser can open, and who may. */
export type PageRoute = { path: string; permission: Permission; readers: Reader[] }

/**
 * Addresses that answer with a file, another address or a part of a page. Anything else a browser
 * can open is a page. The second step of a sign-in and its link are pages only in the middle of it,
 * and what leads to a provider only where there is one (`secondFactorPages`, `singleSignOnPages`
 * and `webPushPages` in `test/browser/states.ts`). `/embed` is there only where a website is named.
 */
export const notPages: readonly string[] = [
  '/live',
  '/feed.atom',
  '/assets/:id/feed.atom',
  '/calendar.ics',
  '/assets/:id/calendar.ics',
  '/badge.svg',
  '/embed',
  '/assets/:id/badge.svg',
  '/r/:assetId',
  '/language',
  '/healthz',
  '/security.txt',
  '/.well-known/security.txt',
  '/readyz',
  '/sign-in/code',
  '/sign-in/link/:token',
  '/sign-up/:token',
  '/sign-in/oidc',
  '/sign-in/oidc/again',
  '/sign-in/oidc/callback',
  '/sign-in/oidc/link',
  '/account/identities/new',
  '/metrics',
  '/manifest.webmanifest',
  '/worker.js',
]

/** Every page of the router, with those who may open it. */
export function pageRoutes(): PageRoute[] {
  return readEndpoints
    .filter(({ path }) => isPage(path))
    .map(({ path, permission }) => ({
      path,
      permission,
      readers: readers.filter((who) => mayRead(who, permission)),
    }))
}

const isPage = (path: string) => !path.startsWith('/api/') && !notPages.includes(path)
const mayRead = (who: Reader, permission: Permission) => decideAccess(who, permission) === 'allowed'

/**
 * Real addresses of each page in the demo building, those of one page chosen to show everything it
 * can: an incident at each step, an asset in each state. Made once per building, because some of
 * them have to be brought about first.
 */
export async function examplesOf(house: House): Promise<Examples> {
  const { assets } = await house.json('guest', '/api/status')
  const inState = (wanted: string) => assets.find(({ status }: { status: string }) => status === wanted)?.id
  const states = ['operational', 'down', 'degraded', 'maintenance'].map(inState).filter(Boolean)
  // Before the subscription, which has an entry of its own.
  const entry = await scalar<number>('select max(id) as id from audit_entries')
  const [contact, unit, maintenance, user, hook] = await Promise.all([
    firstOf('contacts'),
    firstOf('units'),
    firstOf('maintenance_windows'),
    userIdOf('resident'),
    subscription(house),
  ])
  const incidents = await stepsOf()
  const { hidden, dismissed, wholeEmail } = await takenBack(house)
  const office = (name: string, id: number, ...more: string[]) => ({
    [`/admin/${name}`]: [`/admin/${name}?limit=4`, `/admin/${name}?q=nothing+is+called+this`],
    [`/admin/${name}/new`]: [`/admin/${name}/new`],
    [`/admin/${name}/:id`]: [`/admin/${name}/${id}`, ...more],
    [`/admin/${name}/:id/delete`]: [`/admin/${name}/${id}/delete`],
  })
  return {
    '/': ['/', '/?notice=signedOut'],
    '/assets/:id': states.map((id) => `/assets/${id}`),
    '/incidents': [
      '/incidents',
      '/incidents?status=verified&severity=critical&assetId=999999',
      '/incidents?limit=1',
      '/incidents?q=lift&towerId=1&sort=activity',
    ],
    '/incidents/:id': [
      ...incidents.map((id) => `/incidents/${id}`),
      `/incidents/${hidden}`,
      `/incidents/${dismissed}`,
      `/incidents/${incidents[0]}?notice=reported`,
    ],
    '/admin/incidents/:id/emails/:emailId': [`/admin/incidents/${hidden}/emails/${wholeEmail}`],
    '/incidents/:id/photos/:photoId': await photoPages(),
    '/report': ['/report', ...states.slice(0, 2).map((id) => `/report?assetId=${id}`)],
    '/contacts': ['/contacts'],
    '/api': ['/api'],
    '/display': ['/display', '/display?page=2'],
    '/assets': ['/assets', '/assets?q=lift', '/assets?towerId=2'],
    '/assets/:id/days/:from': await storiesOf(house, 1),
    '/history': ['/history', `/history?month=${await monthBefore()}`],
    '/offline': ['/offline'],
    '/report/waiting': ['/report/waiting'],
    '/report/offline': ['/report/offline'],
    '/my-reports': ['/my-reports'],
    '/sign-in': ['/sign-in', `/sign-in?typed=report:${randomUUID()}`],
    '/sign-in/link-sent': ['/sign-in/link-sent'],
    '/incidents/:id/verify': [`/incidents/${await newestResolved()}/verify`],
    '/fixed/:token': await answerPages(),
    '/sign-in/again': ['/sign-in/again'],
    '/forgot-password': ['/forgot-password'],
    '/invitation/:token': [await passwordLink(house, 'invitation')],
    '/reset-password/:token': [await passwordLink(house, 'reset-password')],
    '/unsubscribe/:token': Array.from(
      (await unsubscribeLinks({ userId: user }, ['digest', `incident:${incidents[0]!}`])).values(),
      pathOf,
    ),
    '/follow': [
      '/follow',
      '/follow?towerId=1',
      `/follow?assetId=${states[0]}`,
      `/follow?incidentId=${incidents[0]}`,
    ],
    '/follow/:token': [
      pathOf(
        (
          await mintLink({
            purpose: 'follow',
            who: { emailFollowerId: await emailFollower('jo@outside.test') },
            data: { followed: `asset:${states[0]}` },
          })
        ).href,
      ),
    ],
    '/account': ['profile', 'notifications', 'security', 'data'].map((tab) => `/account?tab=${tab}`),
    '/account/erase': ['/account/erase'],
    '/account/second-factor': ['/account/second-factor'],
    '/admin': [
      '/admin',
      '/admin?tab=replies',
      '/admin?tab=reopened',
      '/admin?tab=inProgress',
      '/admin?tab=toConfirm',
      `/admin?of=${incidents[0]}&notice=tap-confirm`,
    ],
    '/admin/confirm/:id': [`/admin/confirm/${await newestResolved()}`],
    '/admin/place': [`/admin/place?ids=${incidents[0]}`],
    '/admin/assign': [`/admin/assign?ids=${incidents[0]}`, `/admin/assign?ids=${incidents.slice(0, 2)}`],
    '/admin/audit': ['/admin/audit?limit=8', '/admin/audit?entityId=999999'],
    '/admin/audit/:id': [`/admin/audit/${entry}`],
    '/admin/deliveries': ['/admin/deliveries'],
    '/admin/design': ['/admin/design'],
    '/admin/flags': ['/admin/flags'],
    '/admin/held-emails': await heldEmailPages(),
    '/admin/property': ['/admin/property'],
    '/admin/start': ['/admin/start'],
    '/admin/year': ['/admin/year'],
    '/admin/import': ['/admin/import', '/admin/import?kind=units&created=3&updated=1&unchanged=2'],
    '/admin/assets/posters': ['/admin/assets/posters?tower=2', '/admin/assets/posters?tower=999999'],
    ...office('assets', states[0]),
    ...office('towers', await firstOf('towers')),
    ...office('contacts', contact),
    ...office('templates', await template(house)),
    ...office('units', unit),
    ...office('maintenance', maintenance),
    '/admin/maintenance/:id/move': [await moveOneDate(house)],
    ...office('users', user),
    '/admin/users/invitations': ['/admin/users/invitations'],
    '/admin/users/:id/erase': [`/admin/users/${user}/erase`],
    ...office('webhooks', hook),
    '/admin/webhooks/:id/deliveries': [`/admin/webhooks/${hook}/deliveries`],
  }
}

/**
 * An incident whose words are hidden, those of a comment as well, which came by email; and one that
 * is not a report.
 */
async function takenBack(house: House): Promise<{ hidden: number; dismissed: number; wholeEmail: number }> {
  const report = { assetId: 1, title: 'Something to take back', description: 'And why', isAnonymous: true }
  const [hidden, dismissed] = [
    await hiddenReport({ ...report, severity: 'low' }),
    await dismissedReport({ ...report, severity: 'low' }),
  ]
  const updateId = await maya.comments(hidden, 'Another word')
  await house.json('manager', `/api/incidents/${hidden}/hide`, { json: { updateId } })
  const email = 'Another word\n\nOn 17 Nov 2026 the office wrote:\n> Something to take back\n\n-- \nAda'
  const target = { incidentId: hidden, updateId }
  const wholeEmail = await aWholeEmail(target, `Re: [INC-${hidden}] Something`, email)
  return { hidden, dismissed, wholeEmail }
}

/** The month before this one, YYYY-MM. */
/** The last bad day of an asset, and all days up to it from three days before. */
async function storiesOf(house: House, assetId: number): Promise<string[]> {
  const { days } = await house.json('guest', `/api/assets/${assetId}`)
  const last = days.findLastIndex(({ status }: { status: string }) => status === 'down')
  const path = `/assets/${assetId}/days`
  return [`${path}/${days[last].date}`, `${path}/${days[last - 3].date}?to=${days[last].date}`]
}

const monthBefore = () =>
  scalar<string>(
    `select to_char((now() at time zone timezone) - interval '1 month', 'YYYY-MM') as month from properties`,
  )

const pathOf = (href: string) => new URL(href).pathname

/** The question of an email while it stands, and once it is answered. */
async function answerPages(): Promise<string[]> {
  const rows = await query<{ incidentId: number; userId: number; resolvedAt: Date }>(
    `select distinct on (status) id as incident_id,
       (select id from users where email = 'resident@example.com') as user_id,
       resolved_at from incidents
     where resolved_at > now() - interval '29 days' and merged_into_id is null order by status, id desc`,
  )
  const links = rows.map(async ({ userId, incidentId, resolvedAt }) => {
    const data = { incidentId, resolvedAt: resolvedAt.toISOString() }
    return pathOf((await mintLink({ purpose: 'answer', who: { userId }, data, from: resolvedAt })).href)
  })
  return (await Promise.all(links)).flatMap((path) => [path, `${path}?no=1`])
}

async function template(house: House): Promise<number> {
  const json = { name: 'Parts', wordsEn: 'The part is ordered.', statusReason: 'waiting_for_parts' }
  return (await house.json('manager', '/api/admin/templates', { json })).id
}

/** The next date of the first series. */
async function moveOneDate(house: House): Promise<string> {
  const id = await scalar<number>(`select min(id) as id from maintenance_windows where recurrence <> 'none'`)
  const page = await house.page('manager', `/admin/maintenance/${id}`)
  return page(`a[href^="/admin/maintenance/${id}/move"]`).first().attr('href')!
}

const firstOf = (table: string) => scalar<number>(`select min(id) as id from ${table}`)

/** The first photo of the incident that has most, where the way to the next one is shown. */
async function photoPages(): Promise<string[]> {
  return column(
    `select '/incidents/' || incident_id || '/photos/' || min(id) as address from photos
     group by incident_id order by count(*) desc, incident_id limit 1`,
  )
}

/**
 * The newest incident of each status, one with photos, and one that nobody has put in its place.
 */
async function stepsOf(): Promise<number[]> {
  const ids = await column<number>(
    `select max(id) as id from incidents where merged_into_id is null group by status
     union select max(incident_id) from photos
     union select max(id) from incidents where asset_id is null and unit_id is null and merged_into_id is null
     order by id`,
  )
  return ids.filter(Boolean)
}

const newestResolved = () =>
  scalar<number>(`select max(id) as id from incidents where status = 'resolved' and merged_into_id is null`)

async function subscription(house: House): Promise<number> {
  const json = { url: 'https://93.184.216.34/hook', events: [], active: false }
  const { id } = await house.json('admin', '/api/admin/webhooks', { json })
  await query(
    `insert into webhook_deliveries (subscription_id, event_id, event, body, claimed_at, finished_at, status)
     select $1, gen_random_uuid(), 'incident.created', '{"event":"incident.created"}', now(), now(), status
     from unnest(array['200', 'failed: timeout']) status`,
    [id],
  )
  return id
}

/** A list of everything a held email can be, and the lists of sorted ones. */
async function heldEmailPages(): Promise<string[]> {
  await heldEmail({ photos: 2, skipped: ['plan.pdf'], text: 'It smells of gas in the hall. '.repeat(20) })
  await heldEmail({ sorted: true })
  await query(
    `insert into dropped_emails (domain, emails) values ('flood.example', 40), ('', 2) on conflict do nothing`,
  )
  return ['/admin/held-emails', '/admin/held-emails?state=discarded', '/admin/held-emails?state=accepted']
}

/** The address in an email with a one-time link, which stays good. */
async function passwordLink(house: House, kind: 'invitation' | 'reset-password'): Promise<string> {
  await emptyOutbox()
  if (kind === 'reset-password')
    await house.ask('guest', '/api/auth/forgot-password', { json: { email: 'board@example.com' } })
  else
    await house.json('admin', '/api/admin/users', {
      json: { name: 'New Neighbour', email: 'new@example.com', role: 'resident', active: true },
    })
  const [link] = await mailedLinks()
  return link!.path
}
