import { query } from '../../../../src/platform/db/database.js'
import { texts } from '../../../../src/text/index.js'
import type { House } from '../../house/house.js'
import type { Expected } from './samples.js'

/** What became of an email, as others than the product see it, in the words of a sample's file. */
export type Received = Required<Pick<Expected, 'action' | 'public' | 'photos' | 'sender'>> & {
  title: string | null
  /** Null where nothing shows it: email that waits, was ignored, or became a note. */
  isProven: boolean | null
  /** Everything that staff can read of it. */
  staff: () => Promise<string>
}

/** Answers about an email, however it was posted. */
type EmailAnswer = { action: string; incidentId?: number; reason?: string }

export const postEmail = (house: House, email: Buffer) =>
  house.ask('inbound', '/api/inbound-email', {
    method: 'POST',
    body: new Uint8Array(email),
    headers: { 'content-type': 'message/rfc822' },
  })

/** Nothing that came before counts against what comes next. */
export async function forgetReceived(): Promise<void> {
  await query(`update inbound_emails set received_at = received_at - interval '1 hour'`)
  await query('delete from held_emails')
}

/** Posts an email and reads, as a guest and as staff, what the building made of it. */
export async function receive(house: House, email: Buffer): Promise<Received> {
  const answer = await postEmail(house, email)
  if (answer.status !== 200) return nothing(String(answer.status))
  const { action, incidentId, reason } = (await answer.json()) as EmailAnswer
  if (incidentId === undefined) return keptForStaff(house, reason!)
  return action === 'created' ? asReport(house, incidentId) : asEntry(house, incidentId)
}

function nothing(action: string): Received {
  return {
    action,
    title: null,
    public: null,
    photos: 0,
    sender: null,
    isProven: null,
    staff: async () => '',
  }
}

async function asReport(house: House, id: number): Promise<Received> {
  const guest = await house.json('guest', `/api/incidents/${id}`)
  const staff = await house.json('manager', `/api/incidents/${id}`)
  return {
    action: 'created',
    title: guest.title,
    public: guest.description,
    photos: staff.photos.length,
    sender: staff.reporterEmail ?? null,
    isProven: staff.senderProven ?? false,
    staff: () => staffText(house, id),
  }
}

/** The newest entry of a timeline or, where nobody sees one, the newest staff note. */
async function asEntry(house: House, id: number): Promise<Received> {
  const isNote = await query<{ note: boolean }>(
    `select (select max(created_at) from internal_notes where incident_id = $1)
       > (select max(created_at) from incident_updates where incident_id = $1) as note`,
    [id],
  )
  const staff = () => staffText(house, id)
  if (isNote[0]?.note) {
    const note = (await house.json('manager', `/api/incidents/${id}/notes`)).at(-1)
    const hidden = await query('select from photos where incident_id = $1 and hidden_at is not null', [id])
    return {
      action: 'appended',
      title: null,
      public: null,
      photos: hidden.length,
      sender: note.authorEmail,
      isProven: null,
      staff,
    }
  }
  const entry = (await house.json('guest', `/api/incidents/${id}`)).updates.at(-1)
  const forStaff = (await house.json('manager', `/api/incidents/${id}`)).updates.at(-1)
  const photos = await query('select from photos where update_id = $1', [entry.id])
  return {
    action: 'appended',
    title: null,
    public: entry.body,
    photos: photos.length,
    sender: forStaff.authorEmail ?? null,
    isProven: forStaff.senderProven ?? false,
    staff,
  }
}

async function keptForStaff(house: House, reason: string): Promise<Received> {
  const [email] = await house.json('manager', '/api/admin/held-emails?limit=1')
  const [ignored] = await house.json('manager', '/api/admin/held-emails?limit=1&state=ignored')
  const found = reason === 'held' ? email : ignored
  if (!found) return nothing(`not kept: ${reason}`)
  return {
    action: reason === 'held' ? `held:${found.reason}` : `ignored:${reason}`,
    title: null,
    public: null,
    photos: found.photos,
    sender: found.senderEmail,
    isProven: null,
    staff: async () => Object.values(found).join('\n'),
  }
}

/** Everything on the page of a report that a member of staff can open. */
async function staffText(house: House, id: number): Promise<string> {
  const page = await house.page('manager', `/incidents/${id}`)
  page('script, style').remove()
  return page('body').text()
}

const { inboundEmail } = texts.en

/** What a sample's file says with the product's own words in it. */
export function publicText(expected: Pick<Expected, 'public' | 'notTaken' | 'action'>): string | null {
  const { public: text, notTaken = [], action } = expected
  if (text === null) return null
  const said = text
    .replace('{{nothing new}}', inboundEmail.nothingNew)
    .replace('{{only photos}}', inboundEmail.onlyPhotos)
    .replace(/\{\{forwarded "([^"]*)"\}\}/g, '$1')
  // A new report has an entry of its own that counts them.
  if (notTaken.length === 0 || action !== 'appended') return said
  return `${said}\n\n${inboundEmail.notTaken(notTaken.length)}`
}

export const titleOf = (title: string): string => title.replace('{{no subject}}', inboundEmail.noSubject)

/** A text as its words and lines: blanks in a row are one, blank lines and quote signs none. */
export function folded(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/^[\s>]+/u, '')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .filter(Boolean)
    .join('\n')
}

/** A text as its words alone. */
export const wordsOf = (text: string): string => text.replace(/\s+/gu, ' ').trim()
