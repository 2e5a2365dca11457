import { flagColumn, idColumn, textColumn, wholeColumn } from '../../platform/db/columnKinds.js'
import { entity } from '../../platform/http/records/entity.js'
import { nameField, orderPosition } from '../../platform/http/records/sharedFields.js'
import { flag, optionalEmailAddress, optionalText } from '../../vocabulary/inputRules.js'
import { hoursField, lengths, optionalField } from './fieldKinds.js'

/** The contacts of the building directory (spec §2), whose order the office sets. */
export const contactEntity = entity({
  name: 'contact',
  json: { everyone: 'Contact', office: 'OfficeContact' },
  from: 'contacts r',
  search: `concat_ws(' ', r.name, r.label, r.phone, r.email, r.notes)`,
  fields: {
    id: { column: idColumn, reader: 'everyone' },
    name: { ...nameField, reader: 'everyone' },
    label: { ...optionalField('label'), reader: 'everyone', list: true },
    phone: { ...optionalField('phone', 'tel'), reader: 'everyone', list: true },
    email: {
      column: textColumn,
      reader: 'everyone',
      input: optionalEmailAddress,
      form: { control: 'email', maxlength: lengths.email },
      list: true,
    },
    hoursWeekdays: hoursField,
    hoursSaturday: hoursField,
    hoursSunday: hoursField,
    notes: {
      column: textColumn,
      reader: 'everyone',
      input: optionalText('notes', lengths.notes),
      form: { control: 'text' },
    },
    /** The list's buttons move a contact; only JSON sets the number itself. */
    sortOrder: {
      column: wholeColumn,
      reader: 'everyone',
      input: orderPosition,
      sort: { name: 'order', by: 'r.sort_order', type: 'integer' },
    },
    isEmergency: {
      column: flagColumn,
      input: flag('emergency').default(false),
      form: { control: 'flag' },
      list: { cell: ({ isEmergency }: { isEmergency: boolean }, { t }) => isEmergency && t.records.yes },
    },
    /** Everyone sees it on the pages of its assets; otherwise only people with an account do. */
    isPublic: {
      column: flagColumn,
      input: flag('isPublic').default(false),
      form: { control: 'flag' },
      list: { cell: ({ isPublic }: { isPublic: boolean }, { t }) => isPublic && t.records.yes },
    },
  },
})
