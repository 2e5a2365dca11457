import { afterAll, beforeAll } from 'vitest'
import { useDatabase } from '../database.js'
import { type IncomingEmail, newEmail } from '../email/incomingEmail.js'
import { takeMessages } from '../email/messages.js'
import type { How, Person } from './acting.js'
import { type Asked, type Asking, askingOf, type Form, type Opened } from './asking.js'
import { choicesOf } from './choices.js'
import { emptyDesk } from './emptyDesk.js'
import { openApp } from './entrance.js'
import { manyReports } from './manyReports.js'
import { momentNamed } from './moments.js'
import { newcomersOf } from './newcomer.js'
import { dismissedReport, hiddenReport, mergedReports, overdueReport, report } from './report.js'
import { things } from './things.js'
import { verbsOf } from './verbs.js'

/** The real application on a free port, over a building of its own, for the tests of one file. */
export const useHouse = (url = useDatabase()) => useHouseOf(openApp, url)

/** The same house, but what answers is what `open` opens over the building at an address. */
export function useHouseOf(open: (url: string) => Promise<Opened>, url = useDatabase()) {
  let opened: Opened
  beforeAll(async () => {
    opened = await open(url())
  })
  afterAll(() => opened.end())

  const asking = askingOf(() => opened)
  return {
    /** The address of the application, and that of its database. */
    origin: () => opened.origin,
    url,
    ...asking,
    ...peopleOf(asking, {}),
    ...things,
    ...newcomersOf(asking),
    report,
    dismissedReport,
    hiddenReport,
    mergedReports,
    overdueReport,
    manyReports,
    emptyDesk,
    /** The same people at another time: a moment, or the last time that it was `Tue 14:00`. */
    at: (moment: Date | string) =>
      peopleOf(asking, { at: typeof moment === 'string' ? momentNamed(moment) : moment }),
    /**
     * An email that comes in, as a mail provider hands it to us; returns what became of it. What is
     * not given is a stranger's, with words that no email had before.
     */
    emails: (given: IncomingEmail = {}) =>
      asking.json('inbound', '/api/inbound-email', { json: newEmail(given) }),
    /** Saves settings of the building, as the manager does in their form. */
    changeProperty: (fields: Record<string, unknown>) =>
      asking.json('manager', '/api/admin/property', { method: 'PATCH', json: fields }),
    /** The job that runs every few minutes, and escalates what is overdue. */
    sweep: () => asking.json('cron', '/api/cron/sweep', { method: 'POST' }),
    /** Sends what waits to no one but the test: emails and pushes, the oldest first. */
    outbox: takeMessages,
  }
}

export type House = ReturnType<typeof useHouse>

/** The people of the demo building: what they see by requests, and what they do by verbs. */
function peopleOf(asking: Asking, clock: How) {
  const seenBy = (who: Parameters<Asking['ask']>[0]) => ({
    ask: (path: string, asked?: Asked) => asking.ask(who, path, asked),
    json: <T = any>(path: string, asked?: Asked) => asking.json<T>(who, path, asked),
    page: (path: string, asked?: Asked) => asking.page(who, path, asked),
    submit: (path: string, form?: Form) => asking.submit(who, path, form),
  })
  const person = (who: Person) => Object.assign(seenBy(who), verbsOf(who, clock), choicesOf(who))
  return {
    /** Anyone with an account, by their address. */
    person,
    /** A resident, who reports most of what is broken. */
    maya: person('resident'),
    /** Another resident. */
    neighbour: person('george.adeyemi@example.com'),
    board: person('board'),
    /** The manager. */
    office: {
      ...person('manager'),
      /** The rows of a tab of the desk, such as `new` or `inProgress`. */
      desk: async (tab = 'new'): Promise<{ id: number }[]> =>
        (await asking.json('manager', `/api/admin?tab=${tab}`)).rows,
    },
    admin: person('admin'),
    /** The mobile app with its key. */
    app: person('mobile'),
    guest: seenBy('guest'),
  }
}
