import type { Topic } from './unsubscribeTopics.js'

/**
 * Every purpose of a link in an email: its page, the minutes it works (null: for ever, because an
 * email may be read years later), the problem that says that it is over, and whether its email has
 * a code of six digits beside it (decision 9.29).
 */
export const linkPurposes = {
  sign_in: { page: '/sign-in/link', minutes: 15, expiredProblem: 'sign_in_link_over', hasCode: true },
  sign_up: { page: '/sign-up', minutes: 15, expiredProblem: 'sign_in_link_over', hasCode: true },
  reset: { page: '/reset-password', minutes: 60, expiredProblem: 'link_over', hasCode: false },
  invite: { page: '/invitation', minutes: 7 * 24 * 60, expiredProblem: 'link_over', hasCode: false },
  follow: { page: '/follow', minutes: 24 * 60, expiredProblem: 'follow_link_over', hasCode: false },
  answer: { page: '/fixed', minutes: 30 * 24 * 60, expiredProblem: 'answer_link_over', hasCode: false },
  unsubscribe: {
    page: '/unsubscribe',
    minutes: null,
    expiredProblem: 'unsubscribe_link_over',
    hasCode: false,
  },
} as const satisfies Record<string, LinkRules>

type LinkRules = { page: `/${string}`; minutes: number | null; expiredProblem: string; hasCode: boolean }

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
