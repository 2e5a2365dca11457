import { followedBy, nameOfFollowed } from '../../building/followedNames.js'
import type { Context } from '../../platform/http/context.js'
import { type FollowedColumns, followedText } from '../../vocabulary/email/followed.js'

/**
 * The offer to follow something by email; `ownId`: this account's own follow of it, which can be
 * ended.
 */
type FollowBox = {
  kind: 'building' | 'tower' | 'asset' | 'incident'
  name: string
  /** The form's field for it; null for the whole building. */
  field: { name: keyof FollowedColumns; value: number } | null
  ownId: number | null
  page: FollowedPage
}

/** Where people see what they follow, and its short name. */
type FollowedPage = { address: string; label: string }

export function pageOfFollowed(
  { incidentId, assetId, towerId }: FollowedColumns,
  name: string,
): FollowedPage {
  if (incidentId !== null) return { address: `/incidents/${incidentId}`, label: `INC-${incidentId}` }
  if (assetId !== null) return { address: `/assets/${assetId}`, label: name }
  return { address: towerId === null ? '/' : `/assets?towerId=${towerId}`, label: name }
}

/** Null when there is nothing like that. */
export async function followBox(ctx: Context, followed: FollowedColumns): Promise<FollowBox | null> {
  const name = await nameOfFollowed(followed)
  if (name === null) return null
  const { user } = ctx.state
  const text = followedText(followed)
  const own = user ? (await followedBy(user.id)).find((each) => each.followed === text) : undefined
  return {
    kind: kindOfFollowed(text),
    name,
    field: fieldOf(followed),
    ownId: own?.id ?? null,
    page: pageOfFollowed(followed, name),
  }
}

/** What kind of thing `asset:5` is. */
export const kindOfFollowed = (followed: string) => followed.split(':')[0] as FollowBox['kind']

function fieldOf(followed: FollowedColumns): FollowBox['field'] {
  const names = ['incidentId', 'assetId', 'towerId'] as const
  const name = names.find((each) => followed[each] !== null)
  return name ? { name, value: followed[name]! } : null
}
