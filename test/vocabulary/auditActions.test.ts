import { describe, expect, it } from 'vitest'
import { auditActions, neededFor } from '../../src/vocabulary/auditActions.js'

/** Whoever may write may do these; their routes say who that is. */
const openEntities = ['device', 'digest', 'guest_report', 'mail', 'mail_follower', 'photo', 'sweep']
/** Each of their acts says itself which permission it needs. */
const entitiesByAct = ['incident', 'user']

describe('the permission of an act', () => {
  it('is there for every entity that is not open to all who write', () => {
    const acts = auditActions.filter((act) => !entitiesByAct.includes(act.split('.')[0]!))
    const open = acts.filter((act) => neededFor(act) === null).map((act) => act.split('.')[0])
    expect([...new Set(open)]).toEqual(openEntities)
  })
})
