import { emailLimits, type SenderStanding } from '../../../src/inbound/limits.js'

type LimitsOf<Standing extends SenderStanding> = (typeof emailLimits)[Standing]
type NamedLimit = {
  [Standing in SenderStanding]: LimitsOf<Standing>[keyof LimitsOf<Standing>]
}[SenderStanding]

/** What a limit of emails that come in counts, in words. */
export type EmailLimitTitle = NamedLimit['title']

const limits = new Map<EmailLimitTitle, NamedLimit>(
  Object.values(emailLimits)
    .flatMap((ofStanding): NamedLimit[] => Object.values(ofStanding))
    .map((limit) => [limit.title, limit]),
)

/** The title of every limit. */
export const emailLimitTitles: readonly EmailLimitTitle[] = [...limits.keys()]

/** The limit with this title. */
export const emailLimit = (title: EmailLimitTitle): NamedLimit => limits.get(title)!
