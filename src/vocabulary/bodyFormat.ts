/** The forms of a webhook's body: ours (spec §6), and those that the chats take. */
export const bodyFormats = ['caretaker', 'slack', 'teams'] as const
export type BodyFormat = (typeof bodyFormats)[number]
