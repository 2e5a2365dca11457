import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../../platform/db/change.js'
import { Incident } from '../../model/incident.js'
import { joiningOf, Merge } from '../../model/merges.js'
import {
  type FieldGroup,
  groups,
  joinedBy,
  type SurvivorState,
  stateBefore,
  stateFrom,
  storedState,
  survivorStateOf,
} from './survivorState.js'

/** The survivor's state once the duplicate of a merge joined it. */
type Join = (state: SurvivorState, merge: Merge) => SurvivorState

/**
 * The survivor's state without one of the merges into it. What later merges store is rewritten as
 * if this one had never been, group by group.
 */
export async function takeOutMerge(c: Change, merge: Merge, survivor: Incident): Promise<SurvivorState> {
  const later = await Merge.query(c.trx)
    .where('survivorId', merge.survivorId)
    .where('updateId', '>', merge.updateId)
    .orderBy('updateId')
  const duplicates = await Incident.query(c.trx).findByIds(
    [merge, ...later].map(({ duplicateId }) => duplicateId),
  )
  const join: Join = (state, each) => {
    const duplicate = duplicates.find(({ id }) => id === each.duplicateId)!
    return joinedBy(state, survivorStateOf(duplicate), joiningOf(each))
  }

  // The survivor before each later merge, and as it is now.
  let states = [...later.map(stateBefore), survivorStateOf(survivor)]
  for (const group of groups) states = withoutMerge(group, states, { merge, later, join })
  for (const [i, { duplicateId }] of later.entries())
    await Merge.query(c.trx).findById(duplicateId).patch(storedState(states[i]!))
  return states.at(-1)!
}

/**
 * One group of fields in each of these states, without a merge. Two courses of the group start at
 * the merge: one with it, one without; each later merge goes on with both. While a state is what
 * the course with the merge says, it becomes what the other says. A difference means that someone
 * changed the group in between: that state and those after it stay.
 */
function withoutMerge(
  group: FieldGroup,
  states: readonly SurvivorState[],
  { merge, later, join }: { merge: Merge; later: readonly Merge[]; join: Join },
): SurvivorState[] {
  // An example: a survivor without an assignee takes Ann over from the duplicate A; then B joins,
  // which is assigned to Bo. With A the course is Ann, Ann; without it no one, Bo. A is undone: the
  // survivor, which has Ann, gets Bo, as if only B had joined. Had the office assigned it to Cid
  // after A, it would keep Cid, who is not what the course with A says.
  const groupOf = (state: SurvivorState) => stateFrom(group, (name) => state[name])
  const rewritten = [...states]
  let without = stateBefore(merge)
  let withMerge = join(without, merge)
  for (const [i, state] of states.entries()) {
    if (!isDeepStrictEqual(groupOf(state), groupOf(withMerge))) break
    rewritten[i] = { ...state, ...groupOf(without) }
    const next = later[i]
    if (!next) break
    without = join(without, next)
    withMerge = join(withMerge, next)
  }
  return rewritten
}
