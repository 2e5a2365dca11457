/** Words that say nothing of what a report is about are short ones; all others count by their beginning. */
const shortest = 3
const stem = 4

function stemsOf(text: string): Set<string> {
  const words = text.toLocaleLowerCase('en').match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => word.length >= shortest).map((word) => word.slice(0, stem)))
}

/** How alike two titles are, 0 to 1: the share of their words they have in common, by the words' beginnings. */
export function similarity(a: string, b: string): number {
  const [first, second] = [stemsOf(a), stemsOf(b)]
  const common = [...first].filter((word) => second.has(word)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : common / all
}

/**
 * The few that most probably are about the same thing: alike in their words, and reported near each other. A report of
 * the same place within a day is worth showing even with no word in common.
 */
export function mostAlike<T extends { title: string; createdAt: Date }>(
  incident: { title: string; createdAt: Date },
  candidates: readonly T[],
  most: number,
): T[] {
  const day = 86_400_000
  const score = ({ title, createdAt }: T) => {
    const daysApart = Math.abs(createdAt.getTime() - incident.createdAt.getTime()) / day
    return similarity(incident.title, title) + 0.5 / (1 + daysApart)
  }
  return candidates
    .map((candidate) => ({ candidate, score: score(candidate) }))
    .filter(({ score }) => score >= 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}
