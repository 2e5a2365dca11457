import path from 'node:path'
import { type StoredPhoto, storePhotos } from '../incidents/model/photos/photos.js'
import { rootDir, sourceText } from '../platform/process/config.js'
import { type Status, type StatusReason, statuses, statusReasons } from '../vocabulary/lifecycle.js'
import { type Severity, severities } from '../vocabulary/severity.js'
import { HOUR } from '../vocabulary/time/calendar.js'
import {
  type AssetCode,
  demoAssets,
  demoPeople,
  demoUnits,
  localTime,
  type PersonKey,
  type UnitKey,
} from './directory.js'

/** Who reports or writes; `mobile` is the mobile app's key, whose user is the Mobile Reporter. */
export type StoryPerson = PersonKey | 'mobile'

/** When a story begins: at a time on a local day, or some hours before now. */
export type Moment = { daysAgo: number; clock: string } | { hoursAgo: number }

/** An incident. `key` is unique and permanent: a restart finds a half-told story by it. */
export type Story = {
  key: string
  opened: Moment
  by: StoryPerson
  severity: Severity
  title: string
  description: string
  isAnonymous: boolean
  photos: readonly string[]
  /** The key of the first report of the same fault, which the desk suggests; nothing is merged. */
  sameAs: string | null
  /** In order; none while the incident is unanswered. */
  turns: readonly Turn[]
} & ({ asset: AssetCode } | { unit: UnitKey })

/** A timeline entry or an invoice; `after` in hours since the previous turn. */
export type Turn = { after: number; by: StoryPerson } & (
  | { body: string; newStatus: Status | null; photos: readonly string[] }
  | { cost: Cost }
  | { expected: Expected }
)

/** What is being done, and its expected end in hours from now, whenever the story began. */
export type Expected = { reason: StatusReason; hoursAhead: number }

/** A repair's invoice, in pence (decision 3.8). */
export type Cost = { amountCents: number; vendor: string; invoiceRef: string; note: string }

const storyPeople = [...(Object.keys(demoPeople) as PersonKey[]), 'mobile'] as const

let parsedStories: readonly Story[] | undefined

/** Every incident of the demo, read once from `stories.txt`, which says how they are written. */
export function stories(): readonly Story[] {
  parsedStories ??= sourceText('src/demo/stories.txt').split(/^# /m).slice(1).map(storyIn)
  return parsedStories
}

const head = /^(\S+), (\w+), (\w+)( anonymously)?, (?:(\d+) days? ago at (\d\d:\d\d)|([\d.]+) hours ago)$/

function storyIn(text: string): Story {
  const [key = '', facts = '', ...rest] = text.trim().split(/\r?\n/)
  const [, place, severity, by, anonymously, daysAgo, clock = '', hoursAgo] = head.exec(facts) ?? []
  const sameAs = rest[0]?.startsWith('same as ') ? rest.shift()!.slice('same as '.length) : null
  const photos = rest[0]?.startsWith('photos ') ? rest.shift()!.split(' ').slice(1) : []
  const [title = '', description = '', ...turns] = rest
  const asset = (Object.keys(demoAssets) as AssetCode[]).find((code) => code === place)
  return {
    key,
    opened: daysAgo ? { daysAgo: Number(daysAgo), clock } : { hoursAgo: Number(hoursAgo) },
    by: oneOf(storyPeople, by),
    severity: oneOf(severities, severity),
    title,
    description,
    isAnonymous: anonymously !== undefined,
    photos,
    sameAs,
    turns: turns.map(turnIn),
    ...(asset ? { asset } : { unit: oneOf(demoUnits, place) }),
  }
}

function turnIn(line: string): Turn {
  const [, after, by, act, photos, body = ''] =
    /^\+([\d.]+) (\w+)(?: (\w+))?(?: with ([\w ]+))?: (.+)$/.exec(line) ?? []
  const turn = { after: Number(after), by: oneOf(storyPeople, by) }
  if (act === 'invoice') {
    const [amount, vendor = '', invoiceRef = '', note = ''] = body.split(' | ')
    return { ...turn, cost: { amountCents: Number(amount), vendor, invoiceRef, note } }
  }
  if (act === 'expected') {
    const [reason, , hours] = body.split(' ')
    return { ...turn, expected: { reason: oneOf(statusReasons, reason), hoursAhead: Number(hours) } }
  }
  return { ...turn, body, newStatus: act ? oneOf(statuses, act) : null, photos: photos?.split(' ') ?? [] }
}

/** The word, which has to be one of these: a story with a slip of the pen is not told. */
function oneOf<T extends string>(words: readonly T[], word: string | undefined): T {
  const match = words.find((each) => each === word)
  if (!match) throw new Error(`stories.txt: ${word} is none of ${words.join(', ')}`)
  return match
}

/**
 * One write of the demo's history: a report (`turn` null) or one of its turns. `key` identifies it
 * for good.
 */
export type DemoAct = { key: string; at: Date; story: Story; turn: Turn | null }

/** Every act of the stories, oldest first, as seen from `now` (epoch ms). */
export function actsOf(stories: readonly Story[], now: number): DemoAct[] {
  return stories.flatMap((story) => actsOfOne(story, now)).sort((a, b) => a.at.getTime() - b.at.getTime())
}

function actsOfOne(story: Story, now: number): DemoAct[] {
  let at = instantOfMoment(story.opened, now)
  const acts: DemoAct[] = [{ key: `${story.key}/report`, at: new Date(at), story, turn: null }]
  for (const [i, turn] of story.turns.entries()) {
    at += Math.round(turn.after * HOUR)
    acts.push({ key: `${story.key}/${i + 1}`, at: new Date(at), story, turn })
  }
  return acts
}

/** In the property's local time, so that seven in the morning is the same in summer and winter. */
function instantOfMoment(moment: Moment, now: number): number {
  if ('hoursAgo' in moment) return now - Math.round(moment.hoursAgo * HOUR)
  return localTime(now, -moment.daysAgo, moment.clock)
}

/** The folder of the demo's photos, JPEG files, also for the compiled program. */
export const pictureFolder = path.join(rootDir, 'src', 'demo', 'photos')

/** Stores photos of the demo through the pipeline of every upload (decision 2.12). */
export function takePhotos(names: readonly string[]): Promise<StoredPhoto[]> {
  return storePhotos(names.map((name) => ({ content: path.join(pictureFolder, `${name}.jpg`), name })))
}
