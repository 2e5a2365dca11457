/*
 * The fields of answers that the specification names in its §2 and §4. Their order is not part
 * of it.
 */

export const listedIncident = [
  'id',
  'title',
  'description',
  'severity',
  'status',
  'isDowntime',
  'assetId',
  'assetName',
  'unitId',
  'unitName',
  'reporterName',
  'slaBreached',
  'source',
  'createdAt',
  'resolvedAt',
]

/**
 * What an answer has besides the specification's fields: additions, for those who look
 * for them (decision 4.13).
 */
export const expectation = ['expectedBackAt', 'statusReason']

/** Since when an asset is recorded (decision 9.20): an addition. */
export const recording = ['recordedSince']

export const incidentDetail = [
  ...listedIncident,
  'updates',
  'photos',
  'affectedCount',
  ...expectation,
  'acknowledgedAt',
  'duplicates',
  'closingReason',
  'isAssigned',
]

export const incidentUpdate = ['id', 'authorName', 'body', 'newStatus', 'createdAt']

const assetOfSpecification = ['id', 'name', 'category', 'towerName', 'status', 'uptime30', 'uptime90', 'days']

/** When a contact can be reached: an addition. */
const hours = ['hoursWeekdays', 'hoursSaturday', 'hoursSunday']

export const contact = ['id', 'name', 'label', 'phone', 'email', ...hours, 'notes', 'sortOrder']

export const assetInStatus = [...assetOfSpecification, 'maintenanceUpcoming', ...expectation, ...recording]

export const assetForStaff = [
  'cost365Cents',
  'downtimeHours365',
  'contact',
  'costByMonth',
  'faultsByMonth',
  'repeatFaults',
]

export const updateForStaff = [...incidentUpdate, 'authorRole', 'closingReason', 'onStatusPage']

/** With the form of its bodies, which is an addition (decision 4.8). */
export const webhookSubscription = [
  'id',
  'url',
  'secret',
  'events',
  'active',
  'format',
  'lastStatus',
  'lastFiredAt',
]
