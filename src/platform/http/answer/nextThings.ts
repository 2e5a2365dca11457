import type { Context } from '../context.js'
import { can } from '../request/allow.js'
import { localPath, returnPath } from '../request/paths.js'
import type { Problem } from './problem.js'

type Link = { href: string; label: string }

/** Lists that a page of the office belongs to: `/admin/units/7` is one of `/admin/units`. */
const officeList = /^\/admin\/[a-z-]+(?=\/)/

/** A page that a form of a report or of an emailed link belongs to. */
const ownPage = /^\/(?:incidents\/\d+|(?:fixed|follow|unsubscribe)\/[\w-]+)(?=\/|$)/

/**
 * What the page of a problem offers to do next: after a 404 the lists where the thing may be, after
 * a 409 and a 429 the page that the form was on. Empty for other problems, whose pages have the way
 * on in their own words.
 */
export function nextThings(ctx: Context, { status, code, members }: Problem): Link[] {
  const { problemPage, sentBefore } = ctx.state.text
  if (ctx.state.nextThing) return [ctx.state.nextThing]
  if (code === 'sent_before') {
    const href = (members.first as { location: string | null }).location ?? pageOfForm(ctx) ?? '/'
    const [, incident] = /^\/incidents\/(\d+)$/.exec(href) ?? []
    return [{ href, label: incident ? sentBefore.openIncident(incident) : sentBefore.open }]
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
  return (
    ownPage.exec(ctx.path)?.[0] ?? (can(ctx, 'office.read') ? officeList.exec(ctx.path)?.[0] : null) ?? null
  )
}

function lists(ctx: Context): Link[] {
  const { next } = ctx.state.text.problemPage
  const isOffice = can(ctx, 'office.read')
  const list = isOffice ? officeList.exec(ctx.path)?.[0] : undefined
  return [
    ...(list ? [{ href: list, label: next.list }] : []),
    ...(isOffice ? [{ href: '/admin', label: next.desk }] : []),
    { href: '/incidents', label: next.reports },
    { href: '/report', label: next.report },
  ]
}
