import { Asset, Unit } from '../building/building.js'
import { User } from '../platform/http/session/user.js'
import type { Actor } from '../vocabulary/people/actor.js'
import type { Act } from './acts.js'
import { people } from './people.js'
import { towerOf, towers, unitOf, units } from './places.js'
import type { Story, Teller } from './story.js'

/** The rows that stories refer to, by their names. */
export type Cast = { users: Map<Teller, User>; assets: Map<string, number>; units: Map<string, number> }

/** Reads the cast from the database: another process may have built it. */
export async function readCast(): Promise<Cast> {
  const [users, assets, homes] = await Promise.all([User.query(), Asset.inUse(), Unit.all()])
  const byEmail = new Map(users.map((user) => [user.email, user]))
  const named = Object.entries(people).map(([key, { email }]) => [key, byEmail.get(email)!] as [Teller, User])
  const byAddress = new Map(homes.map(({ id, towerName, number }) => [`${towerName} ${number}`, id]))
  return {
    users: new Map([...named, ['mobile', users.find((user) => user.isMobileReporter)!]]),
    assets: new Map(assets.map(({ id, code }) => [code!, id])),
    units: new Map(
      units.map((key) => [key, byAddress.get(`${towers[towerOf(key)]} ${unitOf(key).number}`)!]),
    ),
  }
}

/** Where the incident is: an asset or a unit, never both. */
export function placeOf(story: Story, cast: Cast): { assetId: number | null; unitId: number | null } {
  if ('asset' in story) return { assetId: cast.assets.get(story.asset)!, unitId: null }
  return { assetId: null, unitId: cast.units.get(story.unit)! }
}

/** The act's teller, through the app for the app's key; the act's key becomes the request id. */
export function actorOf(act: Act, cast: Cast): Actor {
  const teller = act.turn?.by ?? act.story.by
  const { id, name, role } = cast.users.get(teller)!
  const via = teller === 'mobile' ? 'mobile' : 'web'
  return { type: 'user', id, name, role, via, requestId: `${actRequest}${act.key}`, past: act.at }
}

/** Prefix of the request ids of the history's acts. */
export const actRequest = 'demo/act/'
