import { pageUrl } from '../../platform/links/pageUrl.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Topic } from '../../vocabulary/email/unsubscribeTopics.js'
import type { AssetNews, AssetNotice } from './assetNotice.js'
import type { Reader } from './reader.js'
import type { EmailContent } from './renderEmail.js'

/**
 * An email to followers of an asset, its tower or the building, with what is new of one asset or of
 * several.
 */
export async function renderAssetNews(reader: Reader, { payload }: OutboxMessage): Promise<EmailContent> {
  const { followed, notices: unsorted } = payload as AssetNews
  const notices = unsorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  const { t } = reader
  const p = t.followEmails
  const [first] = notices as [AssetNotice]
  const many = notices.length > 1
  return {
    view: 'assets',
    subject: many ? p.subject.more(subjectOf(reader, first), notices.length - 1) : subjectOf(reader, first),
    about: { list: 'assets' },
    why: p.why,
    unsubscribe: { topic: followed as Topic, text: p.stop },
    data: {
      sections: notices.map((notice) => sectionOf(reader, notice)),
      button: many
        ? { href: pageUrl('/'), text: t.emails.button.status }
        : { href: pageUrl(`/assets/${first.assetId}`), text: p.button(first.name) },
    },
  }
}

/** What is out of service comes first, then what is back, another expected time, planned work. */
function placeOf({ down, expectedChanged }: AssetNotice): number {
  if (down !== null) return down ? 0 : 1
  return expectedChanged ? 2 : 3
}

/** The weightiest news of an asset: its state, then its expected time, then planned work. */
function subjectOf({ t, h }: Reader, { name, down, expected, expectedChanged, work }: AssetNotice): string {
  const { subject } = t.followEmails
  if (down !== null) return down ? subject.down(name) : subject.back(name)
  if (expectedChanged) return expected ? subject.expected(name, h.moment(expected)) : subject.unexpected(name)
  return subject.work[work![0]!.what](name)
}

function sectionOf(reader: Reader, notice: AssetNotice) {
  const { t, h } = reader
  const { name, tower, status, down, expected, expectedChanged, reason, work } = notice
  const { lead } = t.followEmails
  const troubled = down === true || expectedChanged
  return {
    name,
    tower,
    href: pageUrl(`/assets/${notice.assetId}`),
    state: down !== null || expectedChanged ? { tone: status, text: t.assetStatus[status] } : null,
    leads: [
      ...(down === true ? [lead.down] : []),
      ...(down === false ? [lead.back[status as Exclude<typeof status, 'down'>]] : []),
      ...(troubled && expected ? [lead.expected(h.moment(expected))] : []),
      ...(expectedChanged && !expected ? [lead.unexpected] : []),
      ...(work ?? []).map(({ what }) => lead.work[what]),
    ],
    facts: [
      ...(troubled && reason ? [{ term: t.answers.statusReason, value: t.faultState.reason(reason) }] : []),
      ...(work ?? []).map(({ title, startsAt, endsAt, recurrence }) => ({
        term: title,
        value: [h.range(startsAt, endsAt), ...(recurrence === 'none' ? [] : [t.recurrence[recurrence]])].join(
          ' · ',
        ),
      })),
    ],
  }
}
