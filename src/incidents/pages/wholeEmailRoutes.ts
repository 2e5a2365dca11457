import { route } from '../../platform/http/route/route.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { presentWholeEmail, WholeEmailJson, wholeEmailOf } from '../model/wholeEmails.js'

/**
 * The whole text of an email that became a report, an update or a note, for staff (decision 9.1).
 */
export const wholeEmailRoutes = [
  route({
    method: 'get',
    paths: ['/admin/incidents/:id/emails/:emailId', '/api/incidents/:id/emails/:emailId'],
    group: 'incidents',
    summary: 'The whole text of an email that became a report, an update or a staff note.',
    permission: 'email.read',
    answer: WholeEmailJson,
    handle: async ({ params: { id, emailId } }) => ({
      data: presentWholeEmail(orNotFound(await wholeEmailOf(id, emailId))),
      view: 'incidents/emails/show',
      extras: { shownOn: id },
    }),
  }),
]
