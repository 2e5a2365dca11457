import type { Context } from '../context.js'
import { featureHooks } from '../featureHooks.js'
import { localPath, returnPath } from '../paths.js'
import type { Problem } from '../problem.js'
import { can } from '../request/allow.js'

type Link = { href: string; label: string }

/** The list that a record is in (`resourceRoutes`): of `/admin/NAME/7` it is `/admin/NAME`. */
const officeList = /^\/admin\/[a-z-]+(?=\/)/

/**
 * What the page of a problem offers to do next: after a 404 the lists where the thing may be, after
 * a 409 and a 429 the page that the form was on. Empty for other problems, whose pages have the way
 * on in their own words.
 */
export function nextLinks(ctx: Context, { status, code, members }: Problem): Link[] {
  const { problemPage } = ctx.state.text
  if (ctx.state.refusal.nextLink) return [ctx.state.refusal.nextLink]
  if (code === 'sent_before') {
    const href = (members.first as { location: string | null }).location ?? pageOfForm(ctx) ?? '/'
    return [{ href, label: featureHooks.registered().storedBefore(ctx.state.text, href) }]
  }
  if (status === 404) return lists(ctx)
  if (status !== 409 && status !== 429) return []
  const href = pageOfForm(ctx)
  return href ? [{ href, label: problemPage.openAgain }] : lists(ctx)
}

/**
 * The page a form was sent from, or else the one its address belongs to; null when there is none.
 */
export function pageOfForm(ctx: Context): string | null {
  const referer = ctx.get('Referer')
  if (ctx.method === 'POST' && URL.canParse(referer)) {
    const { pathname, search } = new URL(referer)
    const sentFrom = localPath(returnPath(`${pathname}${search}`, ''))
    if (sentFrom) return sentFrom
  }
  return featureHooks.registered().pageWithForm(ctx.path) ?? officeListOf(ctx)
}

function lists(ctx: Context): Link[] {
  const { next } = ctx.state.text.problemPage
  const isOffice = can(ctx, 'office.read')
  const list = officeListOf(ctx)
  const lists = featureHooks.registered().listsToSearch(ctx.state.text, { isOffice })
  return list ? [{ href: list, label: next.list }, ...lists] : lists
}

/** The list that an address of the office is in, for who may read it. */
function officeListOf(ctx: Context): string | null {
  return can(ctx, 'office.read') ? (officeList.exec(ctx.path)?.[0] ?? null) : null
}
