import { z } from 'zod'
import { verifyIncident } from '../../actions/incidents/verifyIncident.js'
import { limits } from '../../domain/system/limits.js'
import { detailOf, incidentPage } from '../../pages/incidents/incidentPage.js'
import { houseText } from '../../pages/propertyText.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { flag, input, optionalLine, pathId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** The verification request (spec §2); `body` says what is still wrong (decision 2.4). */
const VerificationRequest = z.object({ fixed: flag('fixed'), body: optionalLine('body', limits.text) })

/** POST /incidents/:id/verify: is it fixed? (spec §3, §5 rule 7) */
export function verificationRoutes(router: AppRouter): void {
  router.post(
    both('/incidents/:id/verify'),
    allow('incident.verify'),
    throttle('writes'),
    body(),
    form({ view: 'incidents/show', load: incidentPage }),
    async (ctx) => {
      const incidentId = pathId(ctx)
      const { fixed, body: said } = input(ctx, VerificationRequest)
      const { actor, viewer } = ctx.state
      await verifyIncident(actor, incidentId, {
        fixed,
        body: said || (await houseText()).incident.verdict[fixed ? 'fixed' : 'notFixed'],
      })
      await respond(ctx, {
        data: await detailOf(incidentId, viewer),
        location: `/incidents/${incidentId}`,
        notice: fixed ? 'verified' : 'reopened',
      })
    },
  )
}
