import { z } from 'zod'
import { keepLocale, noteChoice } from '../../platform/http/answer/negotiate.js'
import { oneOf } from '../../platform/http/request/input.js'
import { localPath } from '../../platform/http/request/localPath.js'
import { noContent, page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { locales } from '../../text/index.js'
import { updateAccount } from './account.js'

const languages = locales as [(typeof locales)[number], ...typeof locales]
const Choice = z.object({ locale: oneOf('locale', languages), next: z.string().optional() })

/** The language switcher in the footer of every page. */
export const languageRoutes = [
  // A link, because guests' pages are cached for all and hold no form token; it changes this
  // browser only.
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
