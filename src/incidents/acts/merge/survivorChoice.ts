import { query } from '../../../platform/db/database.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { type Severity, severities } from '../../../vocabulary/severity.js'
import { orNotFound, ValidationFailed } from '../../../vocabulary/validation.js'
import { Incident } from '../../model/incident.js'
import { findListedIncident } from '../../model/listedIncidents.js'
import { patchIncident } from '../patchIncident.js'
import { previewMerges } from './previewMerges.js'

/** A selected report, as the question which of them stays shows it. */
type Candidate = Pick<
  Incident,
  'id' | 'title' | 'severity' | 'createdAt' | 'resolvedAt' | 'assetId' | 'unitId'
>

/**
 * What the office selected on the merge page. `otherId`: the number of a report that was not in the
 * list.
 */
export type SurvivorChoice = {
  survivorId?: number | undefined
  otherId?: number | undefined
  /** What the survivor is to have; without it, the highest of all reports concerned. */
  severity?: Severity | undefined
}

/** What a merge of selected reports would be, with what it is made of. */
export type ChosenMerge = {
  candidates: Candidate[]
  survivor: Pick<Incident, 'id' | 'severity' | 'resolvedAt'>
  duplicateIds: number[]
  /** The severity that the survivor gets; null where it is closed and keeps its own. */
  severity: Severity | null
}

/**
 * Which of the selected reports stays (decision 9.14): the one that was chosen, else the open one
 * that is most severe, then oldest. Nothing but the selected reports and a number that was typed is
 * concerned. Throws ValidationFailed when they are not all of one place, the choice is none of
 * them, or nothing is left to merge into it.
 */
export async function chosenMerge(ids: readonly number[], choice: SurvivorChoice): Promise<ChosenMerge> {
  const candidates = await candidatesAmong(ids)
  const [first] = candidates
  if (!first) throw new ValidationFailed({ ids: ['incident_unknown'] })
  const place = (row: Candidate) => (row.assetId !== null ? `asset ${row.assetId}` : `unit ${row.unitId}`)
  const hasPlace = first.assetId !== null || first.unitId !== null
  if (!hasPlace || candidates.some((row) => place(row) !== place(first)))
    throw new ValidationFailed({ ids: ['merge_one_place'] })
  const { survivorId, otherId } = choice
  if (survivorId !== undefined && !ids.includes(survivorId))
    throw new ValidationFailed({ survivorId: ['incident_required'] })
  const target = await Incident.query().findById(otherId ?? survivorId ?? first.id)
  if (!target) throw new ValidationFailed({ otherId: ['incident_unknown'] })
  // A merged report stands for the one it was merged into.
  const survivor =
    target.mergedIntoId === null ? target : orNotFound(await findListedIncident(target.mergedIntoId))
  const duplicateIds = ids.filter((id) => id !== target.id && id !== survivor.id)
  if (duplicateIds.length === 0) throw new ValidationFailed({ ids: ['ids_required'] })
  const highest = severities.findLast((each) =>
    [survivor, ...candidates].some(({ severity }) => severity === each),
  )!
  const severity = survivor.resolvedAt === null ? (choice.severity ?? highest) : null
  return { candidates, survivor, duplicateIds, severity }
}

/** The selected reports that exist: open ones first, the most severe first, then the oldest. */
function candidatesAmong(ids: readonly number[]): Promise<Candidate[]> {
  return query(
    `select id, title, severity, created_at, resolved_at,
       asset_id, unit_id
     from incidents where id = any ($1)
     order by resolved_at is not null, array_position($2::text[], severity::text) desc, created_at, id`,
    [ids, severities],
  )
}

/** What the chosen merge would do, with the severity that the survivor would get. */
export function previewChosenMerge(actor: Actor, merge: ChosenMerge) {
  return previewMerges(actor, merge.duplicateIds, merge.survivor.id, raiseOf(merge))
}

/** Gives the survivor the severity that was chosen, if it has another one: a change of its own. */
export async function setSurvivorSeverity(actor: Actor, merge: ChosenMerge): Promise<void> {
  const severity = raiseOf(merge)
  if (severity) await patchIncident(actor, merge.survivor.id, { severity })
}

const raiseOf = ({ severity, survivor }: ChosenMerge): Severity | null =>
  severity === survivor.severity ? null : severity
