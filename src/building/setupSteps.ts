import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { query } from '../platform/db/database.js'
import { shape } from '../platform/http/json.js'
import { both } from '../platform/http/paths.js'
import { emptyBody } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { Property } from './building.js'

/**
 * The setup steps of a new building, in their order. Their address, /admin/start, and the stored
 * act `property.start_dismissed` have kept the name of the first version.
 */
const setupSteps = [
  'name',
  'zone',
  'towers',
  'assets',
  'units',
  'contacts',
  'officePhone',
  'people',
  'invitations',
] as const
type SetupStep = (typeof setupSteps)[number]

/** Which of the setup steps are done, and whether an admin wants to hear no more of them. */
type SetupState = { dismissed: boolean; done: Record<SetupStep, boolean> }

/** Looks for one of each, so that it costs the same in a building of any age. */
export async function readSetupState(): Promise<SetupState> {
  const [row] = await query<Record<SetupStep | 'dismissed', boolean>>(stateSql)
  const { dismissed, ...done } = row!
  return { dismissed, done }
}

/** Where each step is done. */
const stepAddresses: Record<SetupStep, string> = {
  name: '/admin/property',
  // `setup` has static/app.js offer the time zone of the browser.
  zone: '/admin/property?setup=1',
  towers: '/admin/towers',
  assets: '/admin/assets/new',
  units: '/admin/import?kind=units',
  contacts: '/admin/contacts/new',
  officePhone: '/admin/property#officePhone',
  people: '/admin/import?kind=residents',
  invitations: '/admin/users',
}

/** The first step that is left, as long as an admin wants to hear of it. */
export async function nextSetupStep(): Promise<{ name: SetupStep; address: string } | null> {
  const { dismissed, done } = await readSetupState()
  const name = dismissed ? undefined : setupSteps.find((step) => !done[step])
  return name ? { name, address: stepAddresses[name] } : null
}

/** The name and zone are as the first migration left them; no one can have got in uninvited. */
const stateSql = `
  select p.start_dismissed_at is not null as dismissed,
    p.name <> 'Our building' as name,
    p.timezone <> 'UTC' as zone,
    exists (select from towers) as towers,
    exists (select from assets where archived_at is null) as assets,
    exists (select from units where archived_at is null) as units,
    exists (select from contacts where is_emergency and phone <> '') as contacts,
    p.office_phone <> '' as office_phone,
    exists (select from users where role = 'resident' and not is_mobile_reporter) as people,
    exists (select from users where role = 'resident' and password_hash is not null)
      or exists (select from identities) as invitations
  from properties p`

/** GET /api/admin/start: the setup steps of a new building. */
const SetupJson = shape('Start', {
  dismissed: z.boolean(),
  done: z.boolean(),
  steps: z.array(z.strictObject({ name: z.enum(setupSteps), done: z.boolean() })),
})

export function presentSetup({ dismissed, done }: SetupState): z.output<typeof SetupJson> {
  const steps = setupSteps.map((name) => ({ name, done: done[name] }))
  return { dismissed, done: steps.every((step) => step.done), steps }
}

/** Ends the checklist of setup steps; nothing when it was ended before. */
async function dismissSetup(actor: Actor): Promise<void> {
  await change(actor, async (c) => {
    const ended = await c
      .trx('properties')
      .where({ startDismissedAt: null })
      .update({ startDismissedAt: c.now })
    if (ended > 0) c.audit('property.start_dismissed', 1)
    else c.noop()
  })
}

/** The checklist that leads an admin through a new building. */
export const setupRoutes = [
  route({
    method: 'get',
    paths: both('/admin/start'),
    group: 'desk',
    summary: 'The setup steps of a new building, and which are done.',
    permission: 'user.manage',
    answer: SetupJson,
    handle: async () => ({
      data: presentSetup(await readSetupState()),
      view: 'building/start',
      extras: async () => ({
        addresses: stepAddresses,
        next: await nextSetupStep(),
        emailVisibility: (await Property.current()).emailVisibility,
      }),
    }),
  }),

  route({
    method: 'post',
    paths: both('/admin/start/dismissal'),
    group: 'desk',
    summary: 'Hides the setup steps from the desk. Their page stays available.',
    permission: 'user.manage',
    throttle: 'writes',
    body: emptyBody,
    answer: SetupJson,
    handle: async ({ actor }) => {
      await dismissSetup(actor)
      return { data: presentSetup(await readSetupState()), location: '/admin', notice: 'startDismissed' }
    },
  }),
]
