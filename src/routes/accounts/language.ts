import { z } from 'zod'
import { updateAccount } from '../../actions/accounts/account.js'
import { locales } from '../../text/index.js'
import { keepLocale } from '../../web/answer/locale.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { input, oneOf, queryOf } from '../../web/request/input.js'
import { localPath } from '../../web/request/localPath.js'
import { throttle } from '../../web/request/throttle.js'

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
