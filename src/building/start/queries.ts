import { query } from '../../platform/db/database.js'

/** The first steps of a new building, in their order. */
export const startSteps = [
  'name',
  'zone',
  'towers',
  'assets',
  'units',
  'contacts',
  'people',
  'invitations',
] as const
export type StartStep = (typeof startSteps)[number]

/** Which of the first steps are done, and whether an admin wants to hear no more of them. */
export type StartState = { dismissed: boolean; done: Record<StartStep, boolean> }

/** Looks for one of each, so that it costs the same in a building of any age. */
export async function startState(): Promise<StartState> {
  const [row] = await query<Record<StartStep | 'dismissed', boolean>>(stateSql)
  const { dismissed, ...done } = row!
  return { dismissed, done }
}

/** Where each step is done. */
export const stepAddresses: Record<StartStep, string> = {
  name: '/admin/property',
  zone: '/admin/property?setup=1',
  towers: '/admin/towers',
  assets: '/admin/assets/new',
  units: '/admin/import?kind=units',
  contacts: '/admin/contacts/new',
  people: '/admin/import?kind=residents',
  invitations: '/admin/users',
}

/** The first step that is left, as long as an admin wants to hear of it. */
export async function nextStep(): Promise<{ name: StartStep; address: string } | null> {
  const { dismissed, done } = await startState()
  const name = dismissed ? undefined : startSteps.find((step) => !done[step])
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
    exists (select from users where role = 'resident' and not is_mobile_reporter) as people,
    exists (select from users where role = 'resident' and password_hash is not null)
      or exists (select from identities) as invitations
  from properties p`
