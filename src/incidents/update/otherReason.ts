import { ValidationFailed } from '../../vocabulary/validation.js'

/** What is being done: a form sends `other` and the office's own words when no listed reason fits. */
export function reasonFrom<T>(statusReason: T, otherReason: string | undefined): T | string {
  if (statusReason !== 'other') return statusReason
  if (!otherReason) throw new ValidationFailed({ otherReason: ['statusReason_required'] })
  return otherReason
}
