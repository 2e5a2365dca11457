import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import type { GivenReport } from '../../support/house/report.js'
import { browserOf, hiddenIn, linksTo } from '../../support/links/guestBrowser.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { office, neighbour } = house
beforeEach(async () => {
  await emptyOutbox()
  await forgetCounts()
})

describe('the links of an email that asks whether it is fixed', () => {
  it('say yes without a session, in the name of whom the email went to', async () => {
    const { id, path } = await askWhetherFixed()
    const sent = await answerByLink(path, { fixed: 'true' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${path}?notice=verified`])
    expect(await statusOf(id)).toBe('verified')
    expect(await entries(id)).toEqual([{ action: 'incident.verified', actor: 'Maya Okafor', via: 'email' }])
    const page = await house.page('guest', sent.headers.get('location')!)
    expect(page('h1').text()).toBe('Thank you')
    expect(page('main').text()).toContain('You said it’s fixed. This report is now closed.')
    expect(page('form[method=post] button[name=fixed]').length).toBe(0)
  })

  it('say no with a reason, which brings it back to the office', async () => {
    const { id, path } = await askWhetherFixed()
    await answerByLink(`${path}?no=1`, { fixed: 'false', body: 'It hums at night.' })
    const detail = await house.json('guest', `/api/incidents/${id}`)
    expect(detail.status).toBe('in_progress')
    expect(detail.updates.at(-1)).toMatchObject({ body: 'It hums at night.', authorName: 'Maya Okafor' })
    expect((await house.page('manager', '/admin?tab=reopened'))('main').text()).toContain('It hums')
  })

  it('answer once, and say how it stands to who presses later', async () => {
    const { id, path } = await askWhetherFixed()
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => answerByLink(path, { fixed: String(i % 2 === 0) })),
    )
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    // Only the press that did it is thanked.
    const thanked = answers.filter(({ headers }) => headers.get('location')!.includes('notice='))
    expect(thanked).toHaveLength(1)
    const first = await statusOf(id)
    await answerByLink(path, { fixed: first === 'verified' ? 'false' : 'true' })
    expect(await statusOf(id)).toBe(first)
    expect((await house.page('guest', path))('button[name=fixed]')).toHaveLength(0)
    const storedUpdates = await query('select from incident_updates where incident_id = $1 and via = $2', [
      id,
      'email',
    ])
    expect(storedUpdates).toHaveLength(1)
  })

  it('answer for the repair they asked about, not for a later one', async () => {
    const { id, path } = await askWhetherFixed()
    await answerByLink(path, { fixed: 'false' })
    await resolve(id, 'Oiled again')
    await answerByLink(path, { fixed: 'true' })
    expect(await statusOf(id)).toBe('resolved')
    expect((await house.page('guest', path))('main').text()).toContain('an earlier repair')
  })

  it('lead to the survivor once it is merged', async () => {
    const { id, path } = await askWhetherFixed()
    const other = await house.report({
      reporter: 'mobile',
      assetId: 1,
      title: 'It hums, too',
      severity: 'low',
    })
    await office.merges(id, other)
    await answerByLink(path, { fixed: 'true' })
    expect(await statusOf(other)).toBe('open')
    expect((await house.page('guest', path))(`main a[href="/incidents/${other}"]`).length).toBe(1)
  })

  it('thank again whoever said no, and take what is still wrong when that was not said', async () => {
    const { id, path } = await askWhetherFixed()
    await answerByLink(path, { fixed: 'false' })
    const page = await house.page('guest', path)
    expect(page('h1').text()).toBe('Thank you')
    expect(page('main').text()).toContain('You said it isn’t fixed. We’ve told the office.')
    const form = page('main form:has(textarea)')
    expect(form.find('label').text()).toBe('What’s still wrong?')
    const fields = { ...hiddenIn(page, 'main form:has(textarea)'), body: 'It hums at night.' }
    const sent = await Promise.all([0, 1, 2].map(() => answerByLink(form.attr('action')!, fields)))
    for (const each of sent) expect(each.headers.get('location')).toBe(`${path}?notice=commented`)
    expect(await bodiesOf(id)).toEqual(['Oiled', 'It isn’t fixed yet.', 'It hums at night.'])
    const later = await house.page('guest', `${path}?notice=commented`)
    expect(later('.notice').text()).toContain('Comment posted.')
    expect(later('main').text()).toContain('You said it isn’t fixed.')
    expect(later('textarea')).toHaveLength(0)
  })

  it('ask for no words where there were some, and keep those of who did not say no', async () => {
    const { id, path } = await askWhetherFixed()
    await answerByLink(path, { fixed: 'false', body: 'It hums at night.' })
    expect((await house.page('guest', path))('textarea')).toHaveLength(0)
    const more = await answerByLink(path, { fixed: 'false', body: 'And by day.' })
    expect(more.status).toBe(409)
    expect(await more.text()).toContain('And by day.')
    expect(await bodiesOf(id)).toHaveLength(2)
  })

  it('say of someone else’s answer that someone gave it, and what the office made of it', async () => {
    const { id, path } = await askWhetherFixed()
    await neighbour.saysNotFixed(id)
    const said = await house.page('guest', path)
    expect(said('h1').text()).toBe('Someone said it isn’t fixed')
    expect(said('main').text()).not.toMatch(/You said|George/)
    expect(said('textarea')).toHaveLength(0)
    await office.answers(id, 'The engineer is back at two.')
    const inWork = await house.page('guest', path)
    expect(inWork('h1').text()).toBe('The office is looking at it again')
    await resolve(id, 'Oiled again')
    await neighbour.confirms(id)
    const later = await house.page('guest', path)
    expect(later('h1').text()).toBe('This is about an earlier repair')
  })

  it('say to whoever said no that the office is at it again', async () => {
    const { id, path } = await askWhetherFixed()
    await answerByLink(path, { fixed: 'false' })
    await office.answers(id, 'The engineer is back at two.')
    const page = await house.page('guest', path)
    expect(page('main').text()).toContain('You said it isn’t fixed. The office is looking at it again.')
  })

  it('tell no one who opens a forwarded link whose anonymous answer it was', async () => {
    const { id, path } = await askWhetherFixed('resident', { isAnonymous: true })
    await answerByLink(path, { fixed: 'false' })
    for (const who of ['guest', 'george.adeyemi@example.com'] as const)
      expect((await house.page(who, path))('h1').text()).toBe('Someone said it isn’t fixed')
    expect((await house.page('resident', path))('h1').text()).toBe('Thank you')
    const fresh = await house.page('guest', `${path}?notice=reopened`)
    const form = fresh('main form:has(textarea)')
    const fields = { ...hiddenIn(fresh, 'main form:has(textarea)'), body: 'It hums at night.' }
    expect((await answerByLink(form.attr('action')!, fields)).status).toBe(303)
    const { updates } = await house.json('guest', `/api/incidents/${id}`)
    expect(updates.at(-1)).toMatchObject({ body: 'It hums at night.', authorName: 'Anonymous resident' })
  })

  it('carry no powers of the office: of staff they say what a resident may say', async () => {
    const { id, path } = await askWhetherFixed('board')
    await answerByLink(path, { fixed: 'false', newStatus: 'verified', body: 'Not yet' })
    expect(await statusOf(id)).toBe('in_progress')
    expect(
      await scalar<boolean>('select reopened_at is not null as back from incidents where id = $1', [id]),
    ).toBe(true)
  })

  it('hide who was anonymous, also in what they answer', async () => {
    const { id, path } = await askWhetherFixed('resident', { isAnonymous: true })
    await answerByLink(path, { fixed: 'false', body: 'Still there' })
    const { updates } = await house.json('guest', `/api/incidents/${id}`)
    expect(updates.at(-1).authorName).toBe('Anonymous resident')
  })

  it('ask again when neither was chosen', async () => {
    const { path } = await askWhetherFixed()
    const refused = await answerByLink(path, { body: 'Well' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('Well')
  })
})

describe('the question on the page of the incident', () => {
  it('thanks whoever said no, and takes what is still wrong as their comment', async () => {
    const { id } = await askWhetherFixed('resident', { isAnonymous: true })
    await house.submit('resident', `/incidents/${id}/verify`, { fixed: 'false' })
    const page = await house.page('resident', `/incidents/${id}/verify`)
    expect(page('h1').text()).toBe('Thank you')
    const selector = 'main form:has(textarea)'
    const fields = { ...hiddenIn(page, selector), body: 'It hums at night.' }
    const sent = await house.submit('resident', page(selector).attr('action')!, fields)
    expect(sent.headers.get('location')).toBe(`/incidents/${id}?notice=commented`)
    expect((await bodiesOf(id)).at(-1)).toBe('It hums at night.')
    const other = await house.page('george.adeyemi@example.com', `/incidents/${id}/verify`)
    expect(other('h1').text()).toBe('Someone said it isn’t fixed')
  })

  it('stands right under the title, and a guest is told to sign in for it', async () => {
    const { id } = await askWhetherFixed()
    const own = await house.page('resident', `/incidents/${id}`)
    expect(own('h1').next().is('section.ask')).toBe(true)
    const guest = await house.page('guest', `/incidents/${id}`)
    expect(guest('h1').next().find(`a[href="/sign-in?next=/incidents/${id}"]`).text()).toBe(
      'Sign in to say whether it’s fixed',
    )
  })

  it('becomes “It’s broken again” once it is confirmed, which begins a new report with a reference', async () => {
    const { id, path } = await askWhetherFixed()
    await answerByLink(path, { fixed: 'true' })
    for (const who of ['guest', 'resident'] as const) {
      const link = (await house.page(who, `/incidents/${id}`))('h1').next().find('a')
      expect(link.attr('href')).toMatch(/^\/report\?/)
      const form = await house.page(who, link.attr('href')!)
      expect(form('#title').attr('value')).toBe('It hums')
      expect(form('#description').text()).toContain(`INC-${id}`)
      expect(form('#assetId option[selected]').attr('value')).toBe('asset-1')
    }
  })
})

async function statusOf(id: number): Promise<string> {
  return (await house.json('guest', `/api/incidents/${id}`)).status
}

function resolve(id: number, body = 'Oiled'): Promise<number> {
  return office.resolves(id, body, { notified: true })
}

/**
 * An incident of this person that the office says is fixed, and the links of the email about it.
 */
async function askWhetherFixed(who: 'resident' | 'board' = 'resident', given: GivenReport = {}) {
  const id = await house.report({ reporter: who, assetId: 1, title: 'It hums', severity: 'low', ...given })
  await emptyOutbox()
  await resolve(id)
  const links = await linksTo('/fixed')
  return { id, path: links.find(({ to }) => to === `${who}@example.com`)!.path }
}

function answerByLink(path: string, form: Record<string, string>): Promise<Response> {
  return browserOf(house).ask(path, { form })
}

/** What everyone reads in a report's updates, the oldest first. */
async function bodiesOf(id: number): Promise<string[]> {
  const { updates } = await house.json('guest', `/api/incidents/${id}`)
  return updates.map(({ body }: { body: string }) => body)
}

/** The newest audit entry of a report. */
function entries(id: number) {
  return query<{ action: string; actor: string; via: string }>(
    `select action, actor_name as actor, via from audit_entries
     where entity = 'incident' and entity_id = $1 order by id desc limit 1`,
    [id],
  )
}
