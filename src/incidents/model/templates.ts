import { idColumn, orNull, textColumn, word } from '../../platform/db/columnKinds.js'
import { rowOf } from '../../platform/db/row.js'
import { entity } from '../../platform/http/records/entity.js'
import type { ColumnsOf } from '../../platform/http/records/entityTypes.js'
import { nameField, options } from '../../platform/http/records/sharedFields.js'
import { clearable, oneOf, optionalText } from '../../vocabulary/inputRules.js'
import { type Status, statuses, statusReasons } from '../../vocabulary/lifecycle.js'

/**
 * The text of a reply in each language, with its status and reason. An empty text: not in this
 * language.
 */
export const templateEntity = entity({
  name: 'reply_template',
  json: { office: 'ReplyTemplate' },
  from: 'reply_templates r',
  search: `concat_ws(' ', r.name, r.words_en, r.words_es)`,
  fields: {
    id: { column: idColumn },
    name: nameField,
    wordsEn: { column: textColumn, input: optionalText('words'), form: { control: 'text' } },
    wordsEs: { column: textColumn, input: optionalText('words'), form: { control: 'text' } },
    status: {
      column: orNull(word(statuses)),
      input: clearable(oneOf('status', statuses)),
      form: {
        control: 'select',
        options: ({ state: { text } }) => [
          { value: '', label: text.incident.keepStatus },
          ...options(statuses, (status) => text.status[status]),
        ],
      },
      list: { cell: ({ status }: { status: Status | null }, { t }) => status && t.status[status] },
    },
    statusReason: {
      column: orNull(textColumn),
      input: clearable(oneOf('statusReason', statusReasons)),
      form: {
        control: 'select',
        options: ({ state: { text } }) => [
          { value: '', label: text.answers.noReason },
          ...options(statusReasons, (reason) => text.faultState.reason(reason)),
        ],
      },
      list: {
        cell: ({ statusReason }: { statusReason: string | null }, { t }) =>
          statusReason && t.faultState.reason(statusReason),
      },
    },
  },
})

/** A row of `reply_templates`: words the office uses often. */
export class ReplyTemplate extends rowOf<ColumnsOf<typeof templateEntity>>() {
  static override tableName = 'reply_templates'

  /** By name. */
  static async all(): Promise<ReplyTemplate[]> {
    return ReplyTemplate.query().orderByRaw('lower(name), id')
  }
}
