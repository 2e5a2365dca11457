import { beforeAll, describe, expect, it, vi } from 'vitest'
import { emailLimits } from '../../src/inbound/limits.js'
import { query } from '../../src/platform/db/database.js'
import { limits } from '../../src/vocabulary/limits.js'
import { outsiders, surfaces } from '../incidents/protection/surfaces.js'
import { heldEmail } from '../support/email/heldEmails.js'
import { takeInEmails } from '../support/email/manyEmails.js'
import { takeMessages } from '../support/email/messages.js'
import { aWholeEmail } from '../support/email/wholeEmails.js'
import { notStaff, staff, type Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { count } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const { maya, office } = house
/** What came by email, by what became of it. */
let places: Record<string, Place>

beforeAll(async () => {
  places = { report: await aReportByEmail(), update: await anUpdateByEmail(), note: await aNoteByEmail() }
})

describe('the whole email', () => {
  inEachPlace('is read by staff, with its subject as it came', async (place) => {
    const { incidentId, emailId, secret, subject } = place
    for (const who of staff) {
      const email = await emailOf(incidentId, emailId, who)
      expect(email).toMatchObject({ id: emailId, incidentId, subject })
      expect(email.text.toLowerCase()).toContain(secret)
    }
  })

  inEachPlace('is unfolded by staff on the page, without script', async ({ incidentId, secret, subject }) => {
    const page = await house.page('manager', `/incidents/${incidentId}`)
    const folded = page('details.whole-email').filter((_, each) =>
      page(each).text().toLowerCase().includes(secret),
    )
    expect(folded).toHaveLength(1)
    expect(folded.attr('open')).toBeUndefined()
    expect(folded.find('summary')).toHaveLength(1)
    expect(folded.text()).toContain(subject)
  })

  inEachPlace('has a page of its own, for staff alone', async ({ incidentId, emailId, secret, subject }) => {
    const path = `/incidents/${incidentId}/emails/${emailId}`
    const page = await house.page('board', `/admin${path}`)
    expect(page('h1').text()).toBe(subject)
    expect(page('main').text().toLowerCase()).toContain(secret)
    for (const [who, status] of notStaff)
      expect([who, (await house.ask(who, `/api${path}`)).status]).toEqual([who, status])
  })

  inEachPlace('is at no address that others can read', async ({ incidentId, secret }) => {
    for (const [turn, who] of outsiders.entries()) {
      expect(JSON.stringify(await detail(who, incidentId))).not.toContain('wholeEmail')
      for (const [path, accept] of perRun({
        quick: { every: 6, from: turn },
        whole: surfaces([incidentId], 3),
      })) {
        const text = await (await house.ask(who, path, { headers: { accept } })).text()
        expect
          .soft(text.toLowerCase().includes(secret), `${secret} at ${path} as ${who} and ${accept}`)
          .toBe(false)
      }
    }
  })

  inEachPlace('is found by staff, and by no one else', async ({ incidentId, secret }) => {
    for (const who of staff) expect(await search(who, secret)).toEqual([incidentId])
    for (const who of outsiders) expect(await search(who, secret)).toEqual([])
    const page = await house.page('resident', `/incidents?q=${secret}`)
    expect(page('.incidents > li')).toHaveLength(0)
    expect(await isIndexRight(incidentId)).toBe(true)
  })

  it('is not kept twice where all of it is shown', async () => {
    const { incidentId } = await house.emails({ subject: 'Bulb', text: 'It is\nout.' })
    await house.emails({ subject: `Re: [INC-${incidentId}] Bulb`, text: 'It is still out.' })
    const shown = await detail('manager', incidentId)
    expect(shown.updates.map(({ body }: { body: string }) => body)).toContain('It is still out.')
    expect(JSON.stringify(shown)).not.toContain('wholeEmailId')
    expect(await count(`whole_emails where incident_id = ${incidentId}`)).toBe(0)
    const page = await house.page('manager', `/incidents/${incidentId}`)
    expect(page('details.whole-email')).toHaveLength(0)
  })

  it('is of its own incident, and there for no other', async () => {
    const { report, note } = places
    const missing = `/api/incidents/${note!.incidentId}/emails/${report!.emailId}`
    expect((await house.ask('manager', missing)).status).toBe(404)
  })
})

describe('a long email', () => {
  it('begins on the page of its report, and goes on on its own', async () => {
    const incidentId = await house.report({ title: 'Long story' })
    const updateId = await maya.comments(incidentId, 'In short')
    const text = `${'word '.repeat(10_000)}flamingo`
    const emailId = await aWholeEmail({ incidentId, updateId }, 'Long story', text)
    const page = await house.page('manager', `/incidents/${incidentId}`)
    const folded = page('details.whole-email')
    expect(folded.text()).not.toContain('flamingo')
    const path = `/admin/incidents/${incidentId}/emails/${emailId}`
    expect(folded.find(`a[href="${path}"]`).text()).toBe('Read the rest of this email')
    expect((await house.page('manager', path))('main').text()).toContain('flamingo')
    expect(await search('manager', 'flamingo')).toEqual([incidentId])
  })

  it('makes no page longer than 500 KB, and none is left out', async () => {
    const email = { from: 'Maya <resident@example.com>', subject: 'Many stories', text: 'One' }
    const { incidentId } = await house.emails(email)
    const text = `"<&>'`.repeat(2 * limits.text)
    await aWholeEmail({ incidentId }, 'Report', text)
    for (let i = 0; i < 12; i += 1) {
      const target =
        i % 2
          ? { updateId: await maya.comments(incidentId, `Comment ${i}`) }
          : { noteId: await office.notes(incidentId, `Note ${i}`) }
      await aWholeEmail({ incidentId, ...target }, `Story ${i}`, text)
    }
    const seen: string[] = []
    let path: string | undefined = `/incidents/${incidentId}`
    while (path) {
      const html = await (await house.ask('manager', path, { headers: { accept: 'text/html' } })).text()
      expect(Buffer.byteLength(html)).toBeLessThan(500_000)
      for (const [, subject] of html.matchAll(/<bdi>(Story \d+)</g)) seen.push(subject!)
      path = /<a href="([^"]+)" rel="next"/.exec(html)?.[1]
    }
    expect(seen.sort()).toEqual(Array.from({ length: 12 }, (_, i) => `Story ${i}`).sort())
  })

  it('of many thousand words leaves room to find what staff write', async () => {
    const incidentId = await house.report({ title: 'Flood of words' })
    const words = (of: string) => Array.from({ length: 12_000 }, (_, i) => `${of}${i}`).join(' ')
    for (const of of ['k', 'q', 'v', 'w', 'x']) {
      const updateId = await maya.comments(incidentId, of)
      await aWholeEmail({ incidentId, updateId }, of, words(of))
    }
    await office.notes(incidentId, 'Cormorant seen')
    expect(await search('manager', 'cormorant')).toEqual([incidentId])
    expect(await search('manager', 'k17')).toEqual([incidentId])
    expect(await isIndexRight(incidentId)).toBe(true)
  })
})

describe('of a merged report', () => {
  it('is on the page of the survivor, is found there, and goes back when that is undone', async () => {
    const survivor = await house.report({ title: 'It stays' })
    const { incidentId: duplicate } = await house.emails({
      subject: 'It goes',
      text: 'Bad.\n\n-- \nKingfisher',
    })
    await house.emails({ subject: `Re: [INC-${duplicate}] It goes`, text: 'Worse.\n\n-- \nNightjar' })
    await office.merges(duplicate, survivor)
    expect(await search('manager', 'kingfisher nightjar')).toEqual([survivor])
    const merged = await detail('manager', survivor)
    const { wholeEmailId } = merged.duplicates[0]
    expect(await emailOf(survivor, wholeEmailId)).toMatchObject({ incidentId: duplicate, subject: 'It goes' })
    expect(await emailOf(duplicate, wholeEmailId)).toMatchObject({ id: wholeEmailId })
    const page = (await house.page('manager', `/incidents/${survivor}`))('details.whole-email').text()
    for (const word of ['Kingfisher', 'Nightjar']) expect(page).toContain(word)
    await house.emails({ subject: `Re: [INC-${duplicate}] It goes`, text: 'Much worse.\n\n-- \nWagtail' })
    expect(await search('manager', 'wagtail')).toEqual([survivor])
    await house.json('manager', `/api/incidents/${duplicate}/unmerge`, { json: {} })
    expect(await search('manager', 'kingfisher nightjar')).toEqual([duplicate])
    expect(await search('manager', 'wagtail')).toEqual([survivor])
    expect((await house.ask('manager', `/api/incidents/${survivor}/emails/${wholeEmailId}`)).status).toBe(404)
    expect([await isIndexRight(survivor), await isIndexRight(duplicate)]).toEqual([true, true])
  })
})

describe('of what the office has hidden', () => {
  it('is read by staff still, and by no one else', async () => {
    const { incidentId } = await house.emails({ subject: 'Gull', text: 'Loud.\n\n-- \nSpoonbill' })
    await house.emails({ subject: `Re: [INC-${incidentId}] Gull`, text: 'Louder.\n\n-- \nAvocet' })
    const [update] = (await detail('manager', incidentId)).updates.slice(-1)
    await house.json('manager', `/api/incidents/${incidentId}/hide`, { json: {} })
    await house.json('manager', `/api/incidents/${incidentId}/hide`, { json: { updateId: update.id } })
    const hidden = await detail('manager', incidentId)
    expect((await emailOf(incidentId, hidden.wholeEmailId)).text).toContain('Spoonbill')
    expect((await emailOf(incidentId, update.wholeEmailId)).text).toContain('Avocet')
    expect(await search('manager', 'spoonbill avocet')).toEqual([incidentId])
    for (const who of outsiders) {
      const read = JSON.stringify(await detail(who, incidentId))
      expect(read).not.toMatch(/Spoonbill|Avocet|Gull|Loud|wholeEmail/)
      expect(await search(who, 'spoonbill')).toEqual([])
    }
  })
})

describe('of a held email', () => {
  it('is what staff read and search, and goes along when it is accepted', async () => {
    const domain = { sender: '', domain: 'egret.example' }
    await takeInEmails('unproven', emailLimits.hourOfDomain.most.unproven, await house.report(), domain)
    const subject = `Door, ${'really '.repeat(40)}broken`
    const text = 'It does not close.\n\n-- \nEgret & sons'
    const answer = await house.emails({ from: 'ada@egret.example', subject, text })
    expect(answer).toEqual({ action: 'ignored', reason: 'held' })
    const [held] = await house.json('manager', '/api/admin/held-emails?q=sons')
    expect(held).toMatchObject({ subject, text })
    const page = (await house.page('manager', '/admin/held-emails'))('main').text()
    expect(page).toContain('Egret & sons')
    const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', {
      json: { ids: [held.id] },
    })
    const { description, wholeEmailId } = await detail('manager', incidentIds[0])
    expect(description).not.toContain('Egret')
    const kept = { subject, text, receivedAt: held.receivedAt }
    expect(await emailOf(incidentIds[0], wholeEmailId)).toMatchObject(kept)
  })

  it('from before it was kept is what there is', async () => {
    const id = await heldEmail({ subject: 'Old one', text: 'All there is' })
    const [held] = await house.json('manager', '/api/admin/held-emails?q=old+one')
    expect(held).toMatchObject({ id, subject: 'Old one', text: 'All there is' })
    const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', {
      json: { ids: [id] },
    })
    expect(await detail('manager', incidentIds[0])).not.toHaveProperty('wholeEmailId')
  })
})

it('goes with what it became', async () => {
  const incidentId = await house.report({ title: 'Short' })
  const noteId = await office.notes(incidentId, 'A note')
  await aWholeEmail({ incidentId, noteId }, 'Short', 'A note of the bittern')
  expect(await search('manager', 'bittern')).toEqual([incidentId])
  await query('delete from internal_notes where id = $1', [noteId])
  expect(await count('whole_emails where note_id = $1', [noteId])).toBe(0)
  expect(await search('manager', 'bittern')).toEqual([])
})

function detail(who: Who, id: number) {
  return house.json(who, `/api/incidents/${id}`)
}

function emailOf(id: number, emailId: number, who: Who = 'manager') {
  return house.json(who, `/api/incidents/${id}/emails/${emailId}`)
}

async function search(who: Who, q: string): Promise<number[]> {
  const found = await house.json(who, `/api/incidents?${new URLSearchParams({ q, limit: '500' })}`)
  return found.map(({ id }: { id: number }) => id)
}

/** Whether the index holds what all texts say now. */
async function isIndexRight(id: number): Promise<boolean> {
  const rows = await query(
    `select from incident_search s cross join lateral search_row_of(s.incident_id) made
     where s.incident_id = $1 and (s.words, s.office_words) = (made.words, made.office_words)`,
    [id],
  )
  return rows.length === 1
}

/** `secret`: a word of the email, in lower case, that is in no text that everyone reads. */
type Place = { secret: string; incidentId: number; emailId: number; subject: string }

async function aReportByEmail(): Promise<Place> {
  const subject = `Lamp flickers, ${'very '.repeat(50)}badly zanzibar`
  const text = 'On the second floor.\n\n-- \nAda\nPelican 4711'
  const { incidentId } = await house.emails({ subject, text })
  const { wholeEmailId } = await detail('manager', incidentId)
  return { secret: 'pelican', incidentId, emailId: wholeEmailId, subject }
}

async function anUpdateByEmail(): Promise<Place> {
  const incidentId = await house.report({ title: 'Lamp' })
  const subject = `Re: [INC-${incidentId}] Lamp`
  const text = 'It is dark now.\n\nOn 26 Nov 2026 the office wrote:\n> We look at the ostrich.'
  await house.emails({ subject, text })
  const { updates } = await detail('manager', incidentId)
  return { secret: 'ostrich', incidentId, emailId: updates.at(-1).wholeEmailId, subject }
}

async function aNoteByEmail(): Promise<Place> {
  const incidentId = await house.report({ title: 'Tap drips' })
  const contactId = await house.contact({ name: 'Plumber', email: 'plumber@outside.example' })
  await office.answers(incidentId, 'Please come', { contactId, notified: true })
  const { emails } = await takeMessages()
  const sent = emails.find(({ to }) => to.address === 'plumber@outside.example')!
  const subject = `Re: ${sent.subject}`
  const text = 'Done on Monday.\n\n-- \nThe heron brothers, plumbers'
  await house.emails({ from: 'plumber@outside.example', subject, text })
  const [note] = await house.json('manager', `/api/incidents/${incidentId}/notes`)
  return { secret: 'heron', incidentId, emailId: note.wholeEmailId, subject }
}

/** One case for each place, which exists when the case runs. */
function inEachPlace(title: string, test: (place: Place) => Promise<void>) {
  it.each(['report', 'update', 'note'])(`${title}, of a %s`, (what) => test(places[what]!))
}
