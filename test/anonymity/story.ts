import type { Seen } from '../support/anonymity/worlds.js'
import { multipart, picture } from '../support/pictures.js'
import {
  type Asked,
  type Asker,
  followerEmail,
  jsonOf,
  outsiders,
  type Stage,
  suspects,
  writerEmail,
} from './cast.js'

/** An answer somebody outside got while the story went on. */
export type Observation = { step: string; who: Asker; answer: Seen }
type Tell = (who: Asker, path: string, asked?: Asked) => Promise<Seen>
type Step = (tell: Tell, stage: Stage) => Promise<unknown>

const isOutsider = (who: Asker) => (outsiders as readonly Asker[]).includes(who)

/**
 * Plays each step in all worlds at once, and the next one after that, so that nothing but the
 * reporter differs. Every act must succeed and have been sent to everyone before the next one
 * in its world: emails say how things are when they leave. Returns what outsiders were
 * answered, for each world.
 */
export async function play(stages: readonly Stage[]): Promise<Observation[][]> {
  const observations = stages.map((): Observation[] => [])
  for (const [name, step] of Object.entries(steps)) {
    const playIn = async (stage: Stage, i: number) => {
      const tell: Tell = async (who, path, asked) => {
        const answer = await stage.ask(who, path, asked)
        if (answer.status >= 400) throw new Error(`${name}: ${answer.status} ${answer.body.toString()}`)
        if (isOutsider(who)) observations[i]!.push({ step: name, who, answer })
        await stage.quiet()
        return answer
      }
      await step(tell, stage)
    }
    await Promise.all(stages.map(playIn))
  }
  return observations
}

/** Reports as someone; what is made is noted under this name. */
async function reportAs(tell: Tell, stage: Stage, name: string, who: Asker, json: Record<string, unknown>) {
  const answer = await tell(who, '/api/incidents', { json: { title: `About ${name}`, ...json } })
  stage.noted[name] = jsonOf<{ id: number }>(answer).id
}

const comment = (tell: Tell, who: Asker, id: number | undefined, body: string, newStatus?: string) =>
  tell(who, `/api/incidents/${id}/updates`, { json: { body, newStatus } })

const place = async ({ noted, sql }: Stage) => {
  const [asset] = await sql<{ id: number }>('select min(id) as id from assets where archived_at is null')
  const [unit] = await sql<{ id: number }>('select min(id) as id from units where archived_at is null')
  Object.assign(noted, { asset: asset!.id, unit: unit!.id })
}

const steps: Record<string, Step> = {
  places: (_tell, stage) => place(stage),

  async 'everybody has a phone, and somebody listens'(tell, { outside }) {
    const events = ['incident.created', 'incident.status_changed', 'incident.sla_breached']
    await tell('manager', '/api/admin/webhooks', {
      json: {
        url: outside.webhookUrl,
        secret: 'signing-key',
        events: [...events, 'incident.merged', 'asset.status_changed'],
      },
    })
    for (const who of ['neighbour', 'mobile', 'x', 'y'] as const)
      await tell(who, '/api/devices', { json: { token: `phone-of-${who}`, platform: 'android' } })
  },

  async 'both suspects report and write by name'(tell, stage) {
    const { asset: assetId } = stage.noted
    await reportAs(tell, stage, 'survivor', 'neighbour', { assetId, severity: 'medium' })
    for (const who of stage.areNamed ? (['x', 'y'] as const) : []) {
      await reportAs(tell, stage, `named-${who}`, who, { assetId, severity: 'medium' })
      await comment(tell, who, stage.noted.survivor, `So says ${who}`)
    }
  },

  async 'the reporter reports without a name, with a photo'(tell, stage) {
    const fields = {
      assetId: String(stage.noted.asset),
      title: 'Smoke',
      severity: 'critical',
      isAnonymous: 'true',
    }
    const body = multipart(fields, [{ bytes: await picture() }])
    stage.noted.smoke = jsonOf<{ id: number }>(await tell('reporter', '/api/incidents', { body })).id
  },

  async 'and by the form of the page'(tell, { noted, sql }) {
    const form = {
      unitId: String(noted.unit),
      title: 'Noise',
      severity: 'medium',
      isAnonymous: 'true',
      description: 'At night',
    }
    await tell('reporter', '/report', { form, headers: { accept: 'text/html' } })
    const [row] = await sql<{ id: number }>('select max(id) as id from incidents')
    noted.noise = row!.id
  },

  async 'others follow it and write to it'(tell, { noted, sql }) {
    await sql(
      `insert into email_follows (email_follower_id, incident_id)
       select m.id, i from email_followers m, unnest($1::integer[]) i where m.address = $2`,
      [[noted.smoke, noted.noise, noted.survivor], followerEmail],
    )
    for (const who of ['neighbour', 'mobile', 'x', 'y'] as const)
      for (const id of [noted.smoke, noted.noise])
        await tell(who, `/api/incidents/${id}/follow`, { method: 'POST' })
    await comment(tell, 'neighbour', noted.smoke, 'I smell it, too')
    await comment(tell, 'mobile', noted.smoke, 'From the lobby')
  },

  async 'a stranger reports by email, and writes to the reporter’s'(tell, { noted }) {
    const letter = (subject: string, text: string) =>
      tell('inbound', '/api/inbound-email', { json: { from: writerEmail, subject, text } })
    await letter('Rats', 'In the yard')
    const names = Object.values(suspects).map(({ name, email }) => `${name}, ${email}`)
    await letter(`Re: [INC-${noted.smoke}] Smoke`, `I saw ${names.join(' and ')}.`)
  },

  async 'the reporter adds words, a photo and an email'(tell, { noted, reporter }) {
    await comment(tell, 'reporter', noted.smoke, 'It gets worse')
    const body = multipart({ body: 'See' }, [{ bytes: await picture('png', '#a36') }])
    await tell('reporter', `/incidents/${noted.smoke}/updates`, { body })
    const { name, email } = suspects[reporter]
    await tell('inbound', '/api/inbound-email', {
      json: {
        from: `${name} <${email}>`,
        subject: `Re: [INC-${noted.smoke}] Smoke`,
        text: 'By mail as well',
      },
    })
  },

  async 'the office notes who it is, for itself'(tell, { noted, reporter }) {
    const { name, email } = suspects[reporter]
    for (const id of [noted.smoke, noted.noise])
      await tell('manager', `/api/incidents/${id}/notes`, { json: { note: `Spoke to ${name}, ${email}` } })
  },

  'the staff say it is resolved': (tell, { noted }) =>
    comment(tell, 'manager', noted.smoke, 'Aired', 'resolved'),

  'the reporter says it is not, without a word': (tell, { noted }) =>
    tell('reporter', `/api/incidents/${noted.smoke}/verify`, {
      json: { fixed: false },
      headers: { 'accept-language': 'es,en;q=0.1' },
    }),

  'the staff resolve it again': (tell, { noted }) =>
    comment(tell, 'manager', noted.smoke, 'Found it', 'resolved'),

  async 'the reporter agrees, takes it back, and agrees, on the page'(tell, { noted }) {
    await tell('reporter', `/incidents/${noted.smoke}/verify`, { form: { fixed: 'true' } })
    await tell('reporter', `/incidents/${noted.smoke}/undo`, { form: {} })
    await tell('reporter', `/incidents/${noted.smoke}/verify`, { form: { fixed: 'true' } })
  },

  async 'the neighbour verifies the other'(tell, { noted }) {
    await comment(tell, 'manager', noted.noise, 'Asked them to stop', 'resolved')
    await tell('neighbour', `/api/incidents/${noted.noise}/verify`, { json: { fixed: false } })
  },

  async 'the reporter reports what the neighbour has reported, with a follower'(tell, stage) {
    const fields = {
      assetId: String(stage.noted.asset),
      title: 'About duplicate',
      description: 'It smells of burning here, too',
      severity: 'high',
      isAnonymous: 'true',
    }
    const body = multipart(fields, [{ bytes: await picture('png', '#3a6') }])
    stage.noted.duplicate = jsonOf<{ id: number }>(await tell('reporter', '/api/incidents', { body })).id
    await tell('neighbour', `/api/incidents/${stage.noted.duplicate}/follow`, { method: 'POST' })
    await comment(tell, 'reporter', stage.noted.duplicate, 'Again')
  },

  'the staff merge it': (tell, { noted }) =>
    tell('manager', `/api/incidents/${noted.duplicate}/merge`, { json: { targetId: noted.survivor } }),

  async 'the staff take it out again, and after some words merge it all the same'(tell, { noted }) {
    await comment(tell, 'reporter', noted.survivor, 'Is it?')
    await tell('manager', `/api/incidents/${noted.duplicate}/unmerge`, { json: {} })
    await comment(tell, 'reporter', noted.duplicate, 'It is')
    await tell('manager', `/api/incidents/${noted.survivor}/duplicates`, {
      json: { duplicateIds: [noted.duplicate] },
    })
  },

  async 'the reporter goes on where it goes on'(tell, { noted }) {
    await comment(tell, 'reporter', noted.survivor, 'Here, then')
    await comment(tell, 'manager', noted.survivor, 'Read', 'acknowledged')
  },

  async 'the neighbour’s is merged into the reporter’s'(tell, stage) {
    const { unit: unitId } = stage.noted
    await reportAs(tell, stage, 'neighbours', 'neighbour', { unitId, severity: 'medium' })
    await tell('manager', `/api/incidents/${stage.noted.neighbours}/merge`, {
      json: { targetId: stage.noted.noise },
    })
  },

  async 'the reporter reports to the office, where that may be the reporter'(tell, stage) {
    const { asset: assetId } = stage.noted
    const anonymous = { assetId, severity: 'high', isAnonymous: true }
    await reportAs(tell, stage, 'office', 'reporter', anonymous)
    await comment(tell, 'reporter', stage.noted.office, 'Words of the reporter')
    await comment(tell, 'manager', stage.noted.office, 'Words of the manager')
    await reportAs(tell, stage, 'second', 'reporter', anonymous)
    await reportAs(tell, stage, 'third', 'reporter', { ...anonymous, severity: 'low' })
  },

  async 'the office takes it in hand'(tell, { noted, sql }) {
    const [assignee] = await sql<{ id: number }>(
      `select min(id) as id from users where role = 'admin' and active`,
    )
    await tell('office', `/api/incidents/${noted.office}/acknowledge`, { method: 'POST' })
    await comment(tell, 'reporter', noted.office, 'More words of the reporter')
    await tell('office', `/api/incidents/${noted.office}/start`, { method: 'POST' })
    await tell('office', `/api/incidents/${noted.office}/updates`, {
      json: { body: 'We expect a part', statusReason: 'Waiting for a part', onStatusPage: true },
    })
    await tell('office', `/api/incidents/${noted.office}`, { method: 'PATCH', json: { title: 'Renamed' } })
    await tell('office', `/api/incidents/${noted.office}/updates`, {
      json: { assignee: `staff-${assignee!.id}` },
    })
    await tell('office', `/api/incidents/${noted.office}/fixed`, { method: 'POST' })
  },

  async 'the reporter says not fixed, is told, and confirms'(tell, { noted, sql }) {
    await tell('reporter', `/api/incidents/${noted.office}/verify`, {
      json: { fixed: false, body: 'Broken as before' },
    })
    await comment(tell, 'reporter', noted.office, 'Still broken')
    const [words] = await sql<{ id: number }>(
      `select max(id) as id from incident_updates where body = 'Still broken'`,
    )
    await tell('office', `/api/incidents/${noted.office}/hide`, {
      json: { updateId: words!.id },
    })
    await comment(tell, 'office', noted.office, 'Repaired', 'resolved')
    await tell('reporter', `/api/incidents/${noted.office}/verify`, { json: { fixed: true } })
  },

  async 'the office confirms, and takes it back'(tell, { noted }) {
    await comment(tell, 'office', noted.second, 'Repaired, too', 'resolved')
    await tell('office', `/api/incidents/${noted.second}/confirm`, { method: 'POST' })
    await tell('office', `/api/incidents/${noted.second}/undo`, { method: 'POST' })
    await tell('office', `/api/incidents/${noted.second}/reopen`, { method: 'POST' })
    await tell('reporter', `/api/incidents/${noted.second}/follow`, { method: 'POST' })
  },

  async 'the office merges the reporter’s and takes it out again'(tell, stage) {
    const { asset: assetId, third } = stage.noted
    await reportAs(tell, stage, 'named', 'neighbour', { assetId, severity: 'low' })
    const merge = { json: { targetId: stage.noted.named } }
    await tell('office', `/api/incidents/${third}/merge`, merge)
    await tell('office', `/api/incidents/${third}/unmerge`, { json: {} })
    await tell('office', `/api/incidents/${third}/merge`, merge)
    await comment(tell, 'reporter', stage.noted.named, 'Mine as well')
    await comment(tell, 'office', stage.noted.named, 'One for both', 'in_progress')
  },

  async 'one is left until the sweep finds it'(tell, stage) {
    const { unit: unitId } = stage.noted
    await reportAs(tell, stage, 'forgotten', 'reporter', { unitId, severity: 'low', isAnonymous: true })
    await tell('neighbour', `/incidents/${stage.noted.forgotten}/follow`, { form: {} })
    await tell('cron', '/api/cron/sweep', { method: 'POST' })
  },

  'the staff put it right': (tell, { noted }) =>
    tell('manager', `/api/incidents/${noted.forgotten}`, {
      method: 'PATCH',
      json: { title: 'Forgotten no more', assetId: noted.asset },
    }),

  'the digest goes out': (tell) => tell('cron', '/api/cron/digest', { method: 'POST' }),
}
