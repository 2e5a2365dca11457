import { z } from 'zod'
import { updateAccount } from '../actions/account.js'
import { locales } from '../text/index.js'
import { allow } from '../web/allow.js'
import { body } from '../web/body.js'
import type { AppRouter } from '../web/context.js'
import { input, oneOf, queryOf } from '../web/input.js'
import { keepLocale } from '../web/locale.js'
import { localPath } from '../web/localPath.js'
import { respond } from '../web/respond.js'
import { throttle } from '../web/throttle.js'

const languages = locales as [(typeof locales)[number], ...typeof locales]
const Choice = z.object({ locale: oneOf('locale', languages), next: z.string().optional() })

/** The choice at the foot of every page. */
export function languageRoutes(router: AppRouter): void {
  // A link, because the pages kept for all guests can hold no form of one of them; it changes this browser only.
  router.get('/language', allow('page.read'), async (ctx) => {
    const { locale, next } = queryOf(ctx, Choice)
    keepLocale(ctx, locale)
    await respond(ctx, { location: localPath(next) ?? '/' })
  })

  router.post('/language', allow('language.choose'), throttle('writes'), body(), async (ctx) => {
    const { locale, next } = input(ctx, Choice)
    keepLocale(ctx, locale)
    await updateAccount(ctx.state.actor, { locale })
    await respond(ctx, { location: localPath(next) ?? '/' })
  })
}
