const updates = 'POST /api/incidents/:id/updates'
const merge = 'POST /api/incidents/:id/merge (targetId)'
const hide = 'POST /api/incidents/:id/hide'
const costs = 'POST /api/incidents/:id/costs'

/**
 * What is done to an incident in acts of their own, by the fields that someone may send with a
 * correction instead.
 */
export const actsOnIncidents = {
  status: `${updates} (newStatus)`,
  newStatus: `${updates} (newStatus)`,
  body: `${updates} (body)`,
  closingReason: `${updates} (closingReason)`,
  onStatusPage: `${updates} (onStatusPage)`,
  doneBy: `${updates} (doneBy)`,
  version: `${updates} (version)`,
  comment: `${updates} (body)`,
  photos: `${updates} (photos[])`,
  'photos[]': `${updates} (photos[])`,
  fixed: 'POST /api/incidents/:id/verify (fixed)',
  targetId: merge,
  otherId: merge,
  mergedIntoId: merge,
  mergedInto: merge,
  following: 'POST /api/incidents/:id/follow',
  duplicateIds: 'POST /api/incidents/:id/duplicates (duplicateIds)',
  desk: 'POST /api/incidents/:id/duplicates (desk)',
  tab: 'POST /api/incidents/:id/duplicates (tab)',
  skip: 'POST /api/incidents/:id/duplicates (skip)',
  returnTo: 'POST /api/incidents/:id/acknowledge (returnTo)',
  upTo: 'POST /api/incidents/:id/read (upTo)',
  updateId: `${hide} (updateId)`,
  photoId: `${hide} (photoId)`,
  onlyDescription: `${hide} (onlyDescription)`,
  amountCents: `${costs} (amountCents)`,
  vendor: `${costs} (vendor)`,
  invoiceRef: `${costs} (invoiceRef)`,
  incurredOn: `${costs} (incurredOn)`,
  note: 'POST /api/incidents/:id/notes (note)',
} as const
