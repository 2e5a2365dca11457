import type { Person } from '../house/acting.js'
import { verbsOf } from '../house/verbs.js'

export const aFollower = (incidentId: number, who: Person) => verbsOf(who).follows(incidentId)

export const { notes: aNote, addsCost: aCost } = verbsOf('manager')
