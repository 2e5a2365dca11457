import { objectInJson } from './objectInJson.js'

/** Fields in which providers say which file has which Content-ID: Mailgun, SendGrid. */
const byContentId = ['content-id-map', 'content-ids']
/** SendGrid: what it knows of each file. */
const byField = 'attachment-info'

/**
 * The Content-IDs of a form's files by the field each file stands in; providers give them apart, as
 * JSON in a field of its own.
 */
export function contentIdsOf(form: Record<string, unknown>): ReadonlyMap<string, string> {
  const contentIds = new Map<string, string>()
  for (const [field, info] of Object.entries(objectInJson(form[byField]))) {
    const id = (info as Record<string, unknown> | null)?.['content-id']
    if (typeof id === 'string') contentIds.set(field, id)
  }
  for (const name of byContentId) {
    for (const [id, field] of Object.entries(objectInJson(form[name]))) {
      if (typeof field === 'string') contentIds.set(field, id)
    }
  }
  return contentIds
}
