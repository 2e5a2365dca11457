import { z } from 'zod'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { resourceFrom } from '../../../platform/http/records/entity.js'
import { resourceRoutes } from '../../../platform/http/records/resourceRoutes.js'
import { page } from '../../../platform/http/route/answerContent.js'
import { route } from '../../../platform/http/route/route.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import { ReplyTemplate, templateEntity } from '../../model/templates.js'
import { incidentForms } from '../forms.js'
import { incidentPageData } from '../incidentPage.js'
import { stageRefusedPhotos } from '../postedPhotos.js'
import { templateChoices } from './templateChoices.js'

const templates = resourceFrom(templateEntity, {
  path: 'templates',
  group: 'incidents',
  permission: 'template.manage',
  kind: { model: ReplyTemplate, unique: { reply_templates_name_key: { name: ['template_name_taken'] } } },
  order: 'name',
  nameOf: ({ name }) => name,
  words: (t) => t.answers.templates,
})

const UseRequest = z.object({ template: z.string('not_text').default('') })

/**
 * Templates for replies, and the button of the answer form that fills one in without storing
 * anything.
 */
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
    form: incidentForms.comment,
    handle: async ({ ctx, body: { template } }) => {
      const chosen = (await templateChoices()).find(({ value }) => value === template)
      if (!chosen) throw new ValidationFailed({ template: ['template_unknown'] })
      await stageRefusedPhotos(ctx)
      const fields = enteredFields(ctx)
      const body = [fields.body, chosen.words].filter(Boolean).join('\n\n')
      const values = {
        ...fields,
        body,
        newStatus: chosen.status ?? fields.newStatus,
        statusReason: chosen.statusReason ?? fields.statusReason,
      }
      return {
        view: 'incidents/show',
        extras: async () => ({ ...(await incidentPageData(ctx)), filled: 'comment', values }),
      }
    },
  }),
]
