import { describe, expect, it } from 'vitest'
import { sourcesIn, withoutComments } from './sources.js'

describe('a word that was given up', () => {
  it('names nothing in code, SQL, texts, templates, styles and tests', () => {
    expect(found(dead, withoutComments, /./)).toEqual([])
  })

  it('is no name in code, whatever it means in a sentence', () => {
    expect(found(deadName, (text) => withoutTexts(withoutComments(text)), /\.ts$/)).toEqual([])
  })

  it('names no file', () => {
    const paths = sources.map(({ path }) => path).filter((path) => !isAllowed(path, 'mail'))
    const names = paths.filter((path) =>
      /(?:^|\/)(?:\w*Mails?|mails?|mail[A-Z]\w*|\w*[tT]old\w*)[./]/.test(path),
    )
    expect(names).toEqual([])
  })
})

/** Words that were given up for one that a new colleague would search for. */
const dead = new RegExp(
  [
    // An assignee, and who has been assigned.
    String.raw`\b(?:doneBy\w*|doers?|doer_\w+|handOver|handedOver|hand-over|possibleDoers)\b`,
    // Reopened, and the last update of staff.
    String.raw`\b(?:cameBack\w*|came_back\w*|spokenAt|spoken_at|noteWord|noteReturn)\b`,
    // Notified, notifications, reminders.
    String.raw`\b(?:tellings|\w+_tellings|told_at|ToldEvent|isAloud|leaveNotice|watchWork)\b`,
    // Email. Mail is a word of the transport alone.
    String.raw`\b(?:leaveMailTo|[a-z]\w*Mails?|(?<!stranger-)mails|[mM]ails?(?!Scanner)[A-Z]\w*)\b`,
    String.raw`\b(?:mail_follow\w+_id|mail_follow(?:s|ers)|mail_events|held_mails?|unkept_mails|mail_visibility)\b`,
    String.raw`/admin/mails\b`,
    // Read, of an update. Whether a form is up to date is its version.
    String.raw`/admin/seen\b|\b(?:markSeen|seenUpTo|SeenRequest|SeenVersion|requireSeen)\b`,
    // Names of one function each, in the table of the style.
    String.raw`\b(?:saysMore|isWord|spreadEvents|lookAgainAt|deskAt|wayToProvider|backFromProvider)\b`,
    String.raw`\b(?:queryAnew|connectionApart|apartFromSpans|madeOnce|NoRoom|mailMemory|letPass|turnLog)\b`,
  ].join('|'),
)

/** English words that were names of things: refused as names, and not in what people read. */
const deadName = /(?<![\w'.-])(?:told|Told|inPart|dids|enterOrAskForCode)(?![\w'-])/

/** What stays under an old name, by file or in all of them, and why. */
const allowed: readonly { in: RegExp; word: RegExp; because: string }[] = [
  {
    in: /^src\/vocabulary\/events\.ts$/,
    word: /^mailFollowerId$/,
    because: 'the key in stored details of events, which version 1.0.0 reads',
  },
  {
    in: /^migrations\/(?!20261127190000)\d{14}_|^migrations\/searchTriggers/,
    word: /./,
    because: 'an older migration, which is never edited',
  },
  {
    in: /^migrations\/20261127190000_names\.ts$/,
    word: /./,
    because: 'the migration that renames them, and keeps the old names for version 1.0.0',
  },
  {
    in: /^test\/support\/postgres\/rowsOfTables\.ts$/,
    word: /./,
    because: 'rows of tables as older migrations named them',
  },
  {
    in: /^(?:src|test)\/platform\/mail\/|^test\/support\/email\/smtp-server\.d\.ts$/,
    word: /[mM]ail/,
    because: 'the transport, and the names of its libraries',
  },
  {
    in: /^test\/notifications\/lateAnswers\.test\.ts$/,
    word: /^mailServer$/,
    because: 'a server of the transport',
  },
  {
    in: /^test\/incidents\/desk\/deskActs\.test\.ts$/,
    word: /^hand-over$/,
    because: 'an address that is gone is asked for',
  },
  { in: /^test\/architecture\/deadWords\.test\.ts$/, word: /./, because: 'this list' },
]

const isAllowed = (path: string, word: string) =>
  allowed.some((each) => each.in.test(path) && each.word.test(word))

const sources = [
  ...sourcesIn(['src', 'jobs', 'migrations', 'test', 'tools']),
  ...sourcesIn(['views'], '.eta'),
  ...sourcesIn(['static'], '.css'),
  ...sourcesIn(['static'], '.js'),
]

/** Code without texts in quotes, which are prose as well, and without SQL and other templates. */
const withoutTexts = (text: string) =>
  text
    .replace(/`(?:[^`\\]|\\[\s\S])*`/g, '``')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')

/** Each word that the pattern finds, with its file. */
function found(pattern: RegExp, read: (text: string) => string, extension: RegExp): string[] {
  return sources
    .filter(({ path }) => extension.test(path))
    .flatMap(({ path, text }) =>
      [...read(text).matchAll(new RegExp(pattern, 'g'))]
        .map(([word]) => word)
        .filter((word) => !isAllowed(path, word))
        .map((word) => `${path}: ${word}`),
    )
}
