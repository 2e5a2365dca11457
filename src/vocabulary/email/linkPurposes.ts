import type { Topic } from '../events.js'
import { linkMinutes } from '../limits.js'

/**
 * Every purpose of a link in an email: its page, the minutes it works (null: for ever, because an
 * email may be read years later), and the problem that says that it is over.
 */
export const linkPurposes = {
  sign_in: { page: '/sign-in/link', minutes: linkMinutes.sign_in, over: 'sign_in_link_over' },
  sign_up: { page: '/sign-up', minutes: linkMinutes.sign_up, over: 'sign_in_link_over' },
  reset: { page: '/reset-password', minutes: linkMinutes.reset, over: 'link_over' },
  invite: { page: '/invitation', minutes: linkMinutes.invite, over: 'link_over' },
  follow: { page: '/follow', minutes: linkMinutes.follow, over: 'follow_link_over' },
  answer: { page: '/fixed', minutes: linkMinutes.answer, over: 'answer_link_over' },
  unsubscribe: { page: '/unsubscribe', minutes: linkMinutes.unsubscribe, over: 'unsubscribe_link_over' },
} as const satisfies Record<string, { page: `/${string}`; minutes: number | null; over: string }>

export type LinkPurpose = keyof typeof linkPurposes

/** What the link to sign in or to make an account goes on to; `browser`: the hash of who asked. */
type SignInData = { browser: string; next: string | null; typed: string | null }

/** What a link of each purpose is about. */
export type LinkData = {
  sign_in: SignInData
  sign_up: SignInData
  reset: Record<never, never>
  invite: Record<never, never>
  follow: { followed: string }
  /** A repair is told by its moment, so that no link answers for a later one. */
  answer: { incidentId: number; resolvedAt: string }
  unsubscribe: { topic: Topic }
}
