import { limits } from '../../vocabulary/limits.js'
import { plural } from '../plural.js'

const count = plural('en')

const fileNames = (names: string[], more: number) => names.join(', ') + (more > 0 ? ` and ${more} more` : '')

/** Words used everywhere: states, severities, units of time. */
export const words = {
  assetStatus: {
    operational: 'Working',
    degraded: 'Partly working',
    down: 'Out of service',
    maintenance: 'Planned work',
  },
  status: {
    open: 'Reported',
    acknowledged: 'Seen by the office',
    in_progress: 'Being worked on',
    resolved: 'Marked as fixed',
    verified: 'Confirmed fixed',
  },
  statusMeaning: {
    open: 'The office hasn’t seen this yet.',
    acknowledged: 'The building office has seen this.',
    in_progress: 'The office is dealing with this.',
    resolved: 'The office has marked this as fixed. Is it?',
    verified: 'A resident or the office has confirmed the fix.',
  },
  /** What an email of a new status says beside it. */
  statusNews: {
    open: 'The office reopened this report.',
    acknowledged: 'We’ll email you when there’s news.',
    in_progress: 'We’ll email you when there’s news.',
    resolved: 'Is it fixed?',
    verified: 'The report is now closed.',
  },
  /** Instead of both, after a resident's "not fixed" and until staff act. */
  notFixed: {
    status: 'Reported as not fixed',
    meaning: 'A resident says it isn’t fixed. We’ve told the office.',
    statement: (time: string) => `Reported as not fixed, ${time}. We’ve told the office.`,
  },
  severity: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' },
  severityMeaning: {
    low: 'Cosmetic: it still works',
    medium: 'Works, but not properly',
    high: 'Can’t be used',
    critical: 'Dangerous, or people can’t get in or out',
  },
  source: { web: 'on this site', mobile: 'in the app', email: 'by email' },
  role: { resident: 'Resident', board: 'Board', manager: 'Manager', admin: 'Admin' },
  recurrence: { none: 'Once', weekly: 'Every week', monthly: 'Every month' },
  /** Shown beside the name of a member of staff. */
  ofTheOffice: 'Office',
  anonymous: 'Anonymous resident',
  theOffice: 'The office',
  deletedPerson: 'Deleted person',
  system: 'Caretaker',
  byEmail: 'By email',
  inApp: 'Reported in the app',
  inboundEmail: {
    noSubject: '(no subject)',
    nothingNew: 'Replied by email with no new text.',
    onlyPhotos: 'Sent by email.',
    removed: '[removed]',
    notTaken: (n: number) =>
      count(n, { one: 'We couldn’t save 1 attachment.', other: `We couldn’t save ${n} attachments.` }),
    notTakenNamed: (files: string[], more: number) => `We didn’t save: ${fileNames(files, more)}.`,
    fileNotTaken: (name: string, why: string) => `${name} (${why})`,
    whyNotTaken: {
      not_a_picture: 'not a photo',
      unreadable: 'we couldn’t read it',
      too_large: `larger than ${limits.photoBytes / 2 ** 20} MB`,
      too_many_pixels: 'too many pixels',
      too_many: `we keep ${limits.photosPerPost} photos of an email`,
      heic: 'HEIC isn’t supported here: send it as JPEG',
      winmail: 'only Outlook can open it: send the email as HTML or plain text',
      later: 'we couldn’t save it just now: send it again',
      refused: 'we couldn’t add it',
    },
  },
  hours: (n: number) => count(n, { one: '1 hour', other: `${n} hours` }),
  days: (n: number) => count(n, { one: '1 day', other: `${n} days` }),
  /** What someone wrote, between marks of quotation. */
  quotation: (text: string) => `“${text}”`,
  list: (parts: string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts),
}
