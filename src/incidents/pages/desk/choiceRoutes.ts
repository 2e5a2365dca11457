import { z } from 'zod'
import { Asset, Unit } from '../../../building/building.js'
import type { Context } from '../../../platform/http/context.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { both, returnPath } from '../../../platform/http/paths.js'
import { page } from '../../../platform/http/route/answerContent.js'
import { route } from '../../../platform/http/route/route.js'
import { NotFound } from '../../../vocabulary/validation.js'
import { inSequence } from '../../acts/bulkActs.js'
import { patchIncident } from '../../acts/patchIncident.js'
import { Incident } from '../../model/incident.js'
import { assigneeFrom, assigneeOptions, assigneeValue } from '../update/assigneeInput.js'
import { deskForm } from './desk.js'
import {
  AssignRequest,
  bulkAct,
  type Choice,
  chosenIds,
  dueOnFrom,
  PlaceRequest,
  SelectionRequest,
  selectedIds,
} from './deskRequests.js'
import { backFromChoice, deskUrl } from './deskUrl.js'

/** `ids` in an address: `3,5`. */
const ChoiceQuery = z.object({
  ids: z
    .string('not_text')
    .transform((text): unknown[] => text.split(','))
    .pipe(chosenIds),
  returnTo: z.string('not_text').optional(),
})

/** What each page offers to choose from, and for a single incident what it has now. */
const optionsOf: Record<Choice, (ctx: Context, incidents: Incident[]) => Promise<Record<string, unknown>>> = {
  place: async () => ({ assets: await Asset.inUse(), units: await Unit.all() }),
  assign: async (ctx, incidents) => {
    const single = incidents.length === 1 ? incidents[0]! : null
    const dueOn = single?.dueOn ?? ''
    return {
      now: { assignee: (single && assigneeValue(single)) ?? '', dueOn, shownDueOn: dueOn },
      assignees: await assigneeOptions(ctx, single?.assetId),
    }
  },
}

/** The page of a question about these incidents. `returnTo`: the page that led to it. */
async function choicePage(ctx: Context, choice: Choice, ids: readonly number[], returnTo: unknown) {
  const incidents = await Incident.query().findByIds([...ids])
  return {
    ...(await optionsOf[choice](ctx, incidents)),
    incidents: incidents.map(({ id, title }) => ({ id, title })),
    back: returnPath(returnTo, '/admin'),
  }
}

/** The same page for a refused form, which may be without a report: the error says so. */
const choiceForm = (choice: Choice) => ({
  view: `incidents/desk/${choice}`,
  name: 'choice',
  load: (ctx: Context) => {
    const { ids, returnTo } = enteredFields(ctx)
    return choicePage(ctx, choice, chosenIds.catch([]).parse(ids), returnTo)
  },
})

const choiceRoute = (choice: Choice, summary: string) =>
  route({
    method: 'get',
    paths: `/admin/${choice}`,
    summary,
    permission: 'incident.edit',
    query: ChoiceQuery,
    answer: page,
    handle: async ({ ctx, query: { ids, returnTo } }) => {
      const extras = await choicePage(ctx, choice, ids, returnTo)
      if (extras.incidents.length === 0) throw new NotFound()
      return { view: `incidents/desk/${choice}`, extras }
    },
  })

/** Where incidents are and who deals with them: the pages that ask the office, and the answers. */
export const choiceRoutes = [
  choiceRoute('place', 'Asks which asset or unit incidents are about.'),

  route({
    ...bulkAct,
    paths: both('/admin/place'),
    group: 'desk',
    summary: 'Sets the asset or the unit that incidents are about.',
    body: PlaceRequest,
    form: choiceForm('place'),
    handle: async ({ body, actor }) => {
      const { assetId, unitId, returnTo, tab, skip } = body
      const place = assetId ? { assetId } : { unitId: unitId! }
      const data = await inSequence(selectedIds(body), (id) => patchIncident(actor, id, place))
      return { data, location: backFromChoice('placed', data, returnTo, { tab, skip }) }
    },
  }),

  choiceRoute('assign', 'Asks who deals with incidents, and until when.'),

  route({
    ...bulkAct,
    paths: both('/admin/assign'),
    group: 'desk',
    summary: 'Sets the assignee and the due date of incidents.',
    body: AssignRequest,
    form: choiceForm('assign'),
    handle: async ({ body, actor }) => {
      const { returnTo, tab, skip } = body
      const patch = { ...assigneeFrom(body), dueOn: dueOnFrom(body) }
      const data = await inSequence(selectedIds(body), (id) =>
        patchIncident(actor, id, patch, { onlyOpen: true }),
      )
      return { data, location: backFromChoice('assigned', data, returnTo, { tab, skip }) }
    },
  }),

  route({
    method: 'post',
    paths: '/admin/selection',
    summary: 'Leads from a selection on the desk to the page for it.',
    permission: 'incident.edit',
    body: SelectionRequest,
    answer: page,
    form: deskForm,
    handle: ({ body: { ids, only, to, tab, skip } }) => {
      const query = new URLSearchParams({
        ids: selectedIds({ ids, only }).join(','),
        returnTo: deskUrl({ tab, skip }),
      })
      return { location: `/admin/${to}?${query}` }
    },
  }),
]
