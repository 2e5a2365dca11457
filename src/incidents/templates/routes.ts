import { z } from 'zod'
import { idColumn, orNull, textColumn, word } from '../../platform/db/kinds.js'
import { entity, resourceOf } from '../../platform/http/records/entity.js'
import { options } from '../../platform/http/records/pages.js'
import { resourceRoutes } from '../../platform/http/records/resource.js'
import { clearable, line, oneOf, optionalLine, typedIn } from '../../platform/http/request/input.js'
import { page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { type Status, statuses } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import { statusReasons } from '../../vocabulary/statusReason.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { incidentPage } from '../page/page.js'
import { rescuePhotos } from '../photos/page.js'
import { templateChoices } from '../update/answerForm.js'
import { ReplyTemplate } from './queries.js'

/** Words for a reply, by language, and the status and reason they come with; empty: not in this language. */
export const templateEntity = entity({
  name: 'reply_template',
  json: { office: 'ReplyTemplate' },
  from: 'reply_templates r',
  search: `concat_ws(' ', r.name, r.words_en, r.words_es)`,
  fields: {
    id: { kind: idColumn },
    name: {
      kind: textColumn,
      input: line('name', limits.name),
      form: { kind: 'line', maxlength: limits.name },
      sort: { name: 'name', by: 'lower(r.name)', type: 'text' },
      list: true,
    },
    wordsEn: { kind: textColumn, input: optionalLine('words'), form: { kind: 'text' } },
    wordsEs: { kind: textColumn, input: optionalLine('words'), form: { kind: 'text' } },
    status: {
      kind: orNull(word(statuses)),
      input: clearable(oneOf('status', statuses)),
      form: {
        kind: 'select',
        options: ({ state: { text } }) => options(statuses, (status) => text.status[status]),
      },
      list: { cell: ({ status }: { status: Status | null }, { t }) => status && t.status[status] },
    },
    statusReason: {
      kind: orNull(textColumn),
      input: clearable(oneOf('statusReason', statusReasons)),
      form: {
        kind: 'select',
        options: ({ state: { text } }) => options(statusReasons, (reason) => text.residents.reason(reason)),
      },
      list: {
        cell: ({ statusReason }: { statusReason: string | null }, { t }) =>
          statusReason && t.residents.reason(statusReason),
      },
    },
  },
})

const templates = resourceOf(templateEntity, {
  path: 'templates',
  permission: 'template.manage',
  kind: { model: ReplyTemplate, unique: { reply_templates_name_key: { name: ['template_name_taken'] } } },
  order: 'name',
  nameOf: ({ name }) => name,
  words: (t) => t.answers.templates,
})

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
