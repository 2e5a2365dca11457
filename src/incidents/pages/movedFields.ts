import { partial } from '../../platform/http/route/fields.js'
import { movedFieldsOf } from '../../platform/http/route/movedFields.js'
import { Correction } from './correction.js'
import { costRoutes } from './costRoutes.js'
import { choiceRoutes } from './desk/choiceRoutes.js'
import { deskMergeRoutes } from './desk/deskMergeRoutes.js'
import { deskRoutes } from './desk/deskRoutes.js'
import { verificationRoutes } from './fixedQuestion/verificationRoutes.js'
import { mergeRoutes } from './mergeRoutes.js'
import { oneTapRoutes } from './oneTapRoutes.js'
import { protectionRoutes } from './protectionRoutes.js'
import { noteRoutes } from './update/noteRoutes.js'
import { updateRoutes } from './update/updateRoutes.js'

/**
 * Fields that someone may send with a correction although an act on the incident changes them, by
 * their names in requests and in the JSON of the incident.
 */
export const movedFields = movedFieldsOf(
  '/incidents/:id',
  partial(Correction),
  [
    updateRoutes,
    verificationRoutes,
    mergeRoutes,
    oneTapRoutes,
    deskRoutes,
    choiceRoutes,
    deskMergeRoutes,
    protectionRoutes,
    costRoutes,
    noteRoutes,
  ].flat(),
  {
    status: { field: 'newStatus' },
    comment: { field: 'body' },
    mergedIntoId: { field: 'targetId' },
    mergedInto: { field: 'targetId' },
    following: { act: 'follow' },
  },
)
