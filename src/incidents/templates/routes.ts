import { z } from 'zod'
import { rowId, shape } from '../../platform/http/json.js'
import type { Resource } from '../../platform/http/records/description.js'
import { options } from '../../platform/http/records/pages.js'
import type { RecordKind } from '../../platform/http/records/records.js'
import { resourceRoutes } from '../../platform/http/records/resource.js'
import { clearable, line, oneOf, optionalLine, typedIn } from '../../platform/http/request/input.js'
import { page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import { statusReasons } from '../../vocabulary/statusReason.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { incidentPage } from '../page/page.js'
import { rescuePhotos } from '../photos/page.js'
import { templateChoices } from '../update/answerForm.js'
import { ReplyTemplate } from './queries.js'

/** Words for a reply, by language, and the status and reason they come with. */
export const ReplyTemplateJson = shape('ReplyTemplate', {
  id: rowId,
  name: z.string(),
  wordsEn: z.string(),
  wordsEs: z.string(),
  status: z.enum(statuses).nullable(),
  statusReason: z.string().nullable(),
})

export function presentReplyTemplate(template: ReplyTemplate): z.output<typeof ReplyTemplateJson> {
  const { id, name, wordsEn, wordsEs, status, statusReason } = template
  return { id, name, wordsEn, wordsEs, status, statusReason }
}

const kind: RecordKind = {
  entity: 'reply_template',
  model: ReplyTemplate,
  fields: ['name', 'wordsEn', 'wordsEs', 'status', 'statusReason'],
  unique: { reply_templates_name_key: { name: ['template_name_taken'] } },
}

const listing = {
  columns: `r.id, r.name, r.words_en as "wordsEn", r.words_es as "wordsEs", r.status, r.status_reason as "statusReason"`,
  from: 'reply_templates r',
  search: `concat_ws(' ', r.name, r.words_en, r.words_es)`,
  sorts: { name: { by: 'lower(r.name)', type: 'text' } },
} as const

const templates: Resource<ReplyTemplate, typeof ReplyTemplateJson> = {
  path: 'templates',
  permission: 'template.manage',
  kind,
  listing,
  order: 'name',
  find: async (id) => (await ReplyTemplate.query().findById(id)) ?? null,
  present: presentReplyTemplate,
  json: ReplyTemplateJson,
  nameOf: ({ name }) => name,
  schema: z.object({
    name: line('name', limits.name),
    wordsEn: optionalLine('words'),
    wordsEs: optionalLine('words'),
    status: clearable(oneOf('status', statuses)),
    statusReason: clearable(oneOf('statusReason', statusReasons)),
  }),
  words: (t) => t.answers.templates,
  columns: [
    { name: 'name', sort: 'name', cell: ({ name }) => name },
    { name: 'status', cell: ({ status }, { t }) => status && t.status[status] },
    {
      name: 'statusReason',
      cell: ({ statusReason }, { t }) => statusReason && t.residents.reason(statusReason),
    },
  ],
  fields: async ({ state: { text } }) => [
    { name: 'name', kind: 'line', maxlength: limits.name },
    { name: 'wordsEn', kind: 'text' },
    { name: 'wordsEs', kind: 'text' },
    { name: 'status', kind: 'select', options: options(statuses, (status) => text.status[status]) },
    {
      name: 'statusReason',
      kind: 'select',
      options: options(statusReasons, (reason) => text.residents.reason(reason)),
    },
  ],
}

const UseRequest = z.object({ template: z.string('not_text').default('') })

/** Templates for replies, and a button of the answer form that fills one in; nothing is stored by that. */
export const templateRoutes = [
  ...resourceRoutes(templates),
  route({
    method: 'post',
    paths: '/incidents/:id/updates/template',
    summary: 'The update form with the text of a template; nothing is saved.',
    permission: 'incident.edit',
    photos: true,
    body: UseRequest,
    answer: page,
    form: { view: 'incidents/show', name: 'comment', load: incidentPage, rescue: rescuePhotos },
    handle: async ({ ctx, body: { template } }) => {
      const chosen = (await templateChoices()).find(({ value }) => value === template)
      if (!chosen) throw new ValidationFailed({ template: ['template_unknown'] })
      await rescuePhotos(ctx)
      const typed = typedIn(ctx)
      const body = [typed.body, chosen.words].filter(Boolean).join('\n\n')
      const values = {
        ...typed,
        body,
        newStatus: chosen.status ?? typed.newStatus,
        statusReason: chosen.statusReason ?? typed.statusReason,
      }
      return {
        view: 'incidents/show',
        extras: async () => ({ ...(await incidentPage(ctx)), filled: 'comment', values }),
      }
    },
  }),
]
