import { problemFrom } from '../answer/problem.js'
import { representationOf } from '../answer/respond.js'
import type { Context, FormPage, Middleware } from '../context.js'

/**
 * Names the page of a route's form: a refusal shows it again with what was typed (decision 6.17). `rescue`
 * keeps the photos, which a browser would not send twice.
 */
export function form(page: FormPage & { rescue?: (ctx: Context) => Promise<void> }): Middleware {
  return async (ctx, next) => {
    ctx.state.form = page
    try {
      await next()
    } catch (error) {
      const { status, members } = problemFrom(error)
      if (page.rescue && representationOf(ctx) !== 'json') {
        if (status === 422 || members.errors || (status === 409 && page.conflicts)) await page.rescue(ctx)
        // Those kept before stay with the form; new ones cannot be kept now.
        if (status === 503) {
          ctx.state.uploads = []
          await page.rescue(ctx).catch(() => {})
        }
      }
      throw error
    }
  }
}
