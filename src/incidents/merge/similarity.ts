import { DAY } from '../../vocabulary/time/calendar.js'

/** Characters: shorter words are ignored, longer ones compared by their first `stem`. */
const shortest = 3
const stem = 4

function stemsOf(text: string): Set<string> {
  const words = text.toLocaleLowerCase('en').match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => word.length >= shortest).map((word) => word.slice(0, stem)))
}

/** Similarity of two titles, 0 to 1: shared word beginnings over all word beginnings. */
export function similarity(a: string, b: string): number {
  const [first, second] = [stemsOf(a), stemsOf(b)]
  const common = [...first].filter((word) => second.has(word)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : common / all
}

export type Dated = { title: string; createdAt: Date }

/** Titles this similar are taken for the same report unless someone says otherwise. */
export const likely = 0.5

/** How alike two reports are, by title and by closeness in time: 0 to 1.5. */
function likeness(a: Dated, b: Dated): number {
  const daysApart = Math.abs(a.createdAt.getTime() - b.createdAt.getTime()) / DAY
  return similarity(a.title, b.title) + 0.5 / (1 + daysApart)
}

/**
 * The likeliest duplicates, by title and by closeness in time. A report of the same place within a day is
 * worth showing even without a common word.
 */
export function mostAlike<T extends Dated>(incident: Dated, candidates: readonly T[], most: number): T[] {
  return candidates
    .map((candidate) => ({ candidate, score: likeness(incident, candidate) }))
    .filter(({ score }) => score >= 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

type OfAPlace = Dated & { id: number; isDowntime: boolean }

/**
 * The older report that this one most likely repeats, of those of its place: the most alike, else one that says, too,
 * that the same thing is out of service. Undefined when none is likely.
 */
export function likelySurvivor<T extends OfAPlace>(incident: OfAPlace, others: readonly T[]): T | undefined {
  const older = others.filter(({ id }) => id < incident.id)
  const alike = older.filter(({ title }) => similarity(incident.title, title) >= likely)
  const [best] = mostAlike(incident, alike, 1)
  return best ?? (incident.isDowntime ? older.find(({ isDowntime }) => isDowntime) : undefined)
}
