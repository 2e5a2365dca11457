import { plural } from '../plural.js'

const count = plural('en')

const named = (names: string[], more: number) => names.join(', ') + (more > 0 ? ` and ${more} more` : '')

/** Words used everywhere: states, severities, units of time. */
export const words = {
  assetStatus: {
    operational: 'Working',
    degraded: 'Working with problems',
    down: 'Out of service',
    maintenance: 'Planned work',
  },
  status: {
    open: 'Reported',
    acknowledged: 'Seen by the office',
    in_progress: 'Being worked on',
    resolved: 'Fixed, says the office',
    verified: 'Confirmed fixed',
  },
  statusMeaning: {
    open: 'The building has your report.',
    acknowledged: 'Somebody in the building office has seen it.',
    in_progress: 'Somebody is working on it.',
    resolved: 'The office says it is fixed. Residents can confirm.',
    verified: 'It is confirmed that it is fixed.',
  },
  severity: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' },
  severityMeaning: {
    low: 'Looks bad, but works',
    medium: 'Works badly or only sometimes',
    high: 'Cannot be used',
    critical: 'Dangerous, or nobody can get in, out or around',
  },
  source: { web: 'on this site', mobile: 'in the app', email: 'by email' },
  role: { resident: 'Resident', board: 'Board', manager: 'Manager', admin: 'Admin' },
  recurrence: { none: 'Once', weekly: 'Every week', monthly: 'Every month' },
  /** Shown beside the name of a member of staff. */
  ofTheOffice: 'Office',
  anonymous: 'Anonymous resident',
  system: 'Caretaker',
  byEmail: 'By email',
  inboundMail: {
    noSubject: '(no subject)',
    nothingNew: 'Answered by email, without new words.',
    onlyPhotos: 'Sent by email.',
    nameRemoved: '[name removed]',
    notTaken: (n: number) =>
      count(n, {
        one: '1 attachment could not be taken in.',
        other: `${n} attachments could not be taken in.`,
      }),
    refused: (names: string[], more: number) =>
      `Attached to the email and not added: ${named(names, more)}. We take up to 5 pictures as JPEG, PNG, WebP or AVIF, 10 MB each.`,
    later: (names: string[], more: number) =>
      `Attached to the email, but could not be stored at that moment: ${named(names, more)}. Send it once more to add it.`,
  },
  hours: (n: number) => count(n, { one: '1 hour', other: `${n} hours` }),
  days: (n: number) => count(n, { one: '1 day', other: `${n} days` }),
  list: (parts: string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts),
}
