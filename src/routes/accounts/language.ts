import { z } from 'zod'
import { updateAccount } from '../../actions/accounts/account.js'
import { locales } from '../../text/index.js'
import { keepLocale, noteChoice } from '../../web/answer/locale.js'
import { oneOf } from '../../web/request/input.js'
import { localPath } from '../../web/request/localPath.js'
import { noContent, page } from '../../web/route/answer.js'
import { route } from '../../web/route/route.js'

const languages = locales as [(typeof locales)[number], ...typeof locales]
const Choice = z.object({ locale: oneOf('locale', languages), next: z.string().optional() })

/** The language switcher in the footer of every page. */
export const languageRoutes = [
  // A link, because guests' pages are cached for all and hold no form token; it changes this browser only.
  route({
    method: 'get',
    paths: '/language',
    summary: 'Sets the language of this browser.',
    permission: 'page.read',
    query: Choice,
    answer: page,
    handle: ({ ctx, query: { locale, next } }) => {
      keepLocale(ctx, locale)
      if (!ctx.state.user) noteChoice(ctx, locale)
      return { location: localPath(next) ?? '/' }
    },
  }),

  route({
    method: 'post',
    paths: '/language',
    summary: 'Sets the language of this browser and your account.',
    permission: 'language.choose',
    throttle: 'writes',
    body: Choice,
    answer: noContent,
    handle: async ({ ctx, body: { locale, next }, actor }) => {
      keepLocale(ctx, locale)
      await updateAccount(actor, { locale })
      return { location: localPath(next) ?? '/' }
    },
  }),
]
