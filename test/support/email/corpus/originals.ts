import { load } from 'cheerio'
import type { Email } from '../../../../src/vocabulary/email/delivery.js'
import { forgetCounts } from '../../house/limits.js'
import { report } from '../../house/report.js'
import { things } from '../../house/things.js'
import { emailFollower } from '../emailFollowers.js'
import { emptyOutbox, takeMessages } from '../messages.js'

/** An email of ours as it was sent, which a sample may answer. `html`: what its body holds. */
export type Original = {
  incidentId: number
  subject: string
  tag: string
  messageId: string
  text: string
  html: string
}

export const originalNames = ['status', 'status-es', 'received', 'assignment', 'anonymous'] as const
export type OriginalName = (typeof originalNames)[number]
export type Originals = Record<OriginalName, Original>

const questions = 'We looked at the gate.\n\nWhich side is it?\n\nIs the remote working?'
const title = 'Garage gate stays open'
const [jo, ana, plumber] = ['jo@home.example', 'ana@casa.example', 'plumber@pipes.example']

/** Asks the product as someone, with JSON. */
type Ask = (who: 'manager' | 'inbound', path: string, asked: { json: object }) => Promise<any>

/** Lets the product write the emails that samples answer, each about a new incident of its own. */
export async function prepareOriginals(app: { json: Ask }): Promise<Originals> {
  const [english, spanish, assigned] = await Promise.all([1, 2, 3].map(() => report({ title })))
  const anonymous = await report({ title, isAnonymous: true, assetId: 1 })
  await emailFollower(jo, [`incident:${english}`, `incident:${anonymous}`])
  await emailFollower(ana, [`incident:${spanish}`], { locale: 'es' })
  const contactId = await things.contact({ name: 'Pipes and Sons', email: plumber })
  await emptyOutbox()
  // Emails of the samples before may have used up what is acknowledged in an hour.
  await forgetCounts()
  const update = (id: number, json: object) => app.json('manager', `/api/incidents/${id}/updates`, { json })
  for (const id of [english!, spanish!, anonymous])
    await update(id, { body: questions, newStatus: 'acknowledged' })
  await update(assigned!, { body: questions, contactId })
  // The first email of a person whom nobody knows: known ones get no button.
  const stranger = `stranger${english}@home.example`
  const email = { from: stranger, subject: title, text: 'It does not close.' }
  const received = await app.json('inbound', '/api/inbound-email', { json: email })
  const { emails } = await takeMessages()
  const about = (incidentId: number, address: string): Original => {
    const found = emails.filter(
      ({ to, subject }) => to.address === address && subject.includes(`-${incidentId}`),
    )
    if (found.length !== 1) throw new Error(`${found.length} emails to ${address} about ${incidentId}`)
    return originalOf(found[0]!, incidentId)
  }
  return {
    status: about(english!, jo),
    'status-es': about(spanish!, ana),
    received: about(received.incidentId, stranger),
    assignment: about(assigned!, plumber),
    anonymous: about(anonymous, jo),
  }
}

function originalOf({ subject, text, html, messageId }: Email, incidentId: number): Original {
  const tag = /\[INC-[^\]]+\]/.exec(subject)?.[0]
  if (tag === undefined) throw new Error(`no tag in ${subject}`)
  return { incidentId, subject, tag, messageId, text, html: load(html)('body').html()! }
}
