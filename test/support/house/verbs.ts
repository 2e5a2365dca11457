import { addNote } from '../../../src/incidents/acts/addNote.js'
import type { IncidentPatch } from '../../../src/incidents/acts/allowedPatch.js'
import { addCost, voidCost } from '../../../src/incidents/acts/costs.js'
import { dismissIncident } from '../../../src/incidents/acts/dismissIncident.js'
import { followIncident, unfollowIncident } from '../../../src/incidents/acts/followIncident.js'
import { type HideTarget, hideContent } from '../../../src/incidents/acts/hideContent.js'
import { mergeIncidents } from '../../../src/incidents/acts/merge/mergeIncidents.js'
import { patchIncident } from '../../../src/incidents/acts/patchIncident.js'
import { reportIncident } from '../../../src/incidents/acts/reportIncident.js'
import type { CostEntry } from '../../../src/incidents/model/costs.js'
import type { StoredPhoto } from '../../../src/incidents/model/photos/photos.js'
import { ReportRequest } from '../../../src/incidents/pages/reporting/reportRequest.js'
import { texts } from '../../../src/text/index.js'
import { defined } from '../../../src/vocabulary/collections.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import type { Actor } from '../../../src/vocabulary/people/actor.js'
import type { Severity } from '../../../src/vocabulary/severity.js'
import { accountOf, actorOf, type How, type Person } from './acting.js'

const { en } = texts

/** What a person says of something broken, with a title and severity medium by default. */
export type Reported = How & {
  title?: string | undefined
  description?: string | undefined
  severity?: Severity | undefined
  isAnonymous?: boolean | undefined
  /** Photos whose files are in the photo store. */
  photos?: readonly StoredPhoto[] | undefined
}

/** Where something is broken: the id of an asset, or a flat. */
export type Place = number | { unitId: number }

/** What the office sets with an update. */
export type Settings = How &
  Pick<
    IncidentPatch,
    'contactId' | 'dueOn' | 'expectedBackAt' | 'statusReason' | 'closingReason' | 'onStatusPage'
  > & { assignee?: Person | undefined }

/**
 * What a person does to reports, all of it by the product's own acts. `clock`: when, unless a verb
 * is given its own moment.
 */
export function verbsOf(who: Person, clock: How = {}) {
  async function doing<T>(
    reports: readonly number[],
    { at = clock.at, notified }: How,
    act: (actor: Actor) => Promise<T>,
  ): Promise<T> {
    return act(await actorOf(who, { at, notified }, reports))
  }

  /** Writes an update; returns its id. */
  async function update(report: number, patch: IncidentPatch, settings: Settings): Promise<number> {
    const { at, notified, assignee, ...fields } = settings
    const assigneeId = assignee === undefined ? undefined : (await accountOf(assignee)).id
    const updateId = await doing([report], { at, notified }, (actor) =>
      patchIncident(actor, report, { ...fields, assigneeId, ...patch }),
    )
    return updateId!
  }

  return {
    /** Reports what is broken; returns the report's id. */
    async reports(place: Place, reported: Reported = {}): Promise<number> {
      const { at, notified, photos = [], ...words } = reported
      const fields = ReportRequest.parse({
        title: 'Something is broken',
        severity: 'medium',
        ...defined(words),
        ...(typeof place === 'number' ? { assetId: place } : place),
      })
      return doing([], { at, notified }, async (actor) => {
        const { incident } = await reportIncident(actor, fields, { stored: photos, staged: [] })
        return incident.id
      })
    },

    /** Writes to a report: a resident's comment waits for an answer of the office. */
    comments: (report: number, body = 'It is still the same', how: How = {}) => update(report, { body }, how),

    /** Answers for the office without another status. */
    answers: (report: number, body = 'We are on it', settings: Settings = {}) =>
      update(report, { body }, settings),

    /** Gives a report a status, with the words of an update. */
    sets: (report: number, newStatus: Status, body = 'We are on it', settings: Settings = {}) =>
      update(report, { body, newStatus }, settings),

    acknowledges: (report: number, body = 'We are on it', settings: Settings = {}) =>
      update(report, { body, newStatus: 'acknowledged' }, settings),

    starts: (report: number, body = 'We are on it', settings: Settings = {}) =>
      update(report, { body, newStatus: 'in_progress' }, settings),

    resolves: (report: number, body = 'Done', settings: Settings = {}) =>
      update(report, { body, newStatus: 'resolved' }, settings),

    /** Says that the repair worked. */
    confirms: (report: number, body: string = en.incident.verdict.fixed, how: How = {}) =>
      update(report, { body, move: 'fixed' }, how),

    /** Says that the repair failed: the report is in progress again. */
    saysNotFixed: (report: number, body: string = en.incident.verdict.notFixed, how: How = {}) =>
      update(report, { body, move: 'notFixed' }, how),

    /** Corrects fields of a report, which writes no update. */
    async corrects(report: number, patch: IncidentPatch, how: How = {}): Promise<void> {
      await doing([report], how, (actor) => patchIncident(actor, report, patch))
    },

    /** Assigns a report to someone of the staff. */
    async assigns(report: number, assignee: Person, how: How = {}): Promise<void> {
      const { id: assigneeId } = await accountOf(assignee)
      await doing([report], how, (actor) => patchIncident(actor, report, { assigneeId }))
    },

    /** Merges reports, one after another, into the one that stays. */
    async merges(duplicates: number | readonly number[], into: number, how: How = {}): Promise<void> {
      for (const duplicate of [duplicates].flat())
        await doing([duplicate, into], how, (actor) =>
          mergeIncidents(actor, duplicate, into, en.merging.mergedEntry(duplicate)),
        )
    },

    /** Hides the title and description of a report from everyone but staff, or one update of it. */
    async hides(report: number, what: { updateId?: number } = {}, how: How = {}): Promise<void> {
      const target: HideTarget = what.updateId === undefined ? { text: 'all' } : { update: what.updateId }
      await doing([report], how, (actor) => hideContent(actor, report, target, en.protection.hidden))
    },

    /** Says that it is not a report. */
    async dismisses(report: number, how: How = {}): Promise<void> {
      await doing([report], how, (actor) => dismissIncident(actor, report, en.protection.dismissedEntry))
    },

    /** Writes a note for staff only; returns its id. */
    notes: (report: number, body = 'The part is on its way', how: How = {}): Promise<number> =>
      doing([report], how, (actor) => addNote(actor, report, body)),

    /** Enters a cost of the repair, of today; returns its id. */
    addsCost: (report: number, cost: Partial<CostEntry> = {}, how: How = {}): Promise<number> =>
      doing([report], how, (actor) =>
        addCost(actor, report, {
          amountCents: 12_345,
          vendor: '',
          invoiceRef: '',
          note: '',
          incurredOn: null,
          ...cost,
        }),
      ),

    /** Removes a cost from the total. */
    async voidsCost(report: number, cost: number, how: How = {}): Promise<void> {
      await doing([report], how, (actor) => voidCost(actor, report, cost))
    },

    /** Chooses to follow a report, and counts as affected. */
    async follows(report: number, how: How = {}): Promise<void> {
      await doing([report], how, (actor) => followIncident(actor, report))
    },

    async unfollows(report: number, how: How = {}): Promise<void> {
      await doing([report], how, (actor) => unfollowIncident(actor, report))
    },
  }
}

export type Verbs = ReturnType<typeof verbsOf>
