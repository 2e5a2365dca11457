import { z } from 'zod'
import { localPath } from '../../platform/http/paths.js'
import { noContent, page } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { keepLocale, noteChoice } from '../../platform/http/session/language.js'
import { type Locale, locales } from '../../text/index.js'
import { oneOf } from '../../vocabulary/inputRules.js'
import { updateAccount } from '../users/updateAccount.js'

export const localeField = oneOf('locale', locales as [Locale, ...Locale[]])

const LanguageChoice = z.object({ locale: localeField, next: z.string().optional() })

/** The language switcher in the footer of every page. */
export const languageRoutes = [
  // A link, because guests' pages are cached for all and hold no form token; it changes this
  // browser only.
  route({
    method: 'get',
    paths: '/language',
    summary: 'Sets the language of this browser.',
    permission: 'page.read',
    query: LanguageChoice,
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
    body: LanguageChoice,
    answer: noContent,
    handle: async ({ ctx, body: { locale, next }, actor }) => {
      keepLocale(ctx, locale)
      await updateAccount(actor, { locale })
      return { location: localPath(next) ?? '/' }
    },
  }),
]
