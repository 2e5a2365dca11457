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

/**
 * The likeliest duplicates, by title and by closeness in time. A report of the same place within a day is
 * worth showing even without a common word.
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
