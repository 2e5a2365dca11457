import { z } from 'zod'
import { type LinkPurpose, linkPurposes } from '../../../vocabulary/email/linkPurposes.js'
import { type EmailLink, findLink } from '../../links/emailLinks.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'

/**
 * What every route of one purpose of links shares: its address is a secret, and `subject` is what
 * `find` makes of the link. Throws 404 for a link that is unknown, and when `find` says null, after
 * `refused`. GET must change nothing, because email scanners open links.
 */
export function linkRoute<P extends LinkPurpose, Subject>(
  purpose: P,
  find: (link: EmailLink<P>, ctx: Context) => Promise<Subject | null>,
  refused: (ctx: Context) => void = () => {},
) {
  return {
    confidential: true,
    params: { token: z.string() },
    subject: async ({ ctx }: { ctx: Context }): Promise<Subject> => {
      const link = await findLink(purpose, ctx.params.token!)
      const subject = link && (await find(link, ctx))
      if (subject) return subject
      refused(ctx)
      throw new Problem(404, linkPurposes[purpose].expiredProblem)
    },
  } as const
}
