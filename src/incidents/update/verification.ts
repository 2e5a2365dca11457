import { z } from 'zod'
import { propertyText } from '../../building/property/propertyText.js'
import { both } from '../../platform/http/request/both.js'
import { flag, line, optionalLine } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { limits } from '../../vocabulary/limits.js'
import { IncidentDetailJson } from '../json.js'
import { actsOnIncidents } from '../page/actsOnIncidents.js'
import { detailOf, incidentPage } from '../page/page.js'
import { patchIncident } from './patchIncident.js'

/** The verification request (spec §2); `body` says what is still wrong (decision 2.4). */
export const VerificationRequest = z
  .object({
    fixed: flag('fixed'),
    body: optionalLine('body', limits.text),
    namedAnyway: line('body', limits.text, 0).nullish(),
  })
  .meta({ id: 'VerificationRequest' })

/**
 * Is it fixed? (spec §3, §5 rule 7) Yes closes it, no reopens it; the first of several answers wins.
 */
export const verificationRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/verify'),
    summary: 'Answers whether a resolved incident is fixed: yes closes it, no reopens it.',
    permission: 'incident.verify',
    throttle: 'writes',
    body: VerificationRequest,
    elsewhere: { photos: actsOnIncidents.photos },
    answer: IncidentDetailJson,
    form: { view: 'incidents/show', name: 'verify', load: incidentPage },
    handle: async ({ params: { id }, body: { fixed, body: said, namedAnyway }, actor, viewer }) => {
      const move = fixed ? 'fixed' : 'notFixed'
      const body = said || (await propertyText()).incident.verdict[move]
      await patchIncident(actor, id, { body, move, namedAnyway })
      return {
        data: await detailOf(id, viewer),
        location: `/incidents/${id}`,
        notice: fixed ? 'verified' : 'reopened',
      }
    },
  }),
]
