const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? []
/** Fewer than `choosePart` leaves out: a person may have typed an address with `www.` alone. */
const links = /<?\b(?:https?|mailto|tel):[^\s<>]+>?|\[(?:cid:|image:)[^\]]{0,300}\]/giu

/** The lines of a text with words that are nowhere in the other one: staff read both parts. */
export function missingLines(text: string, other: string): string {
  const known = new Set(wordsIn(other))
  return text
    .split('\n')
    .filter((line) => wordsIn(line.replace(links, ' ')).some((word) => !known.has(word)))
    .join('\n')
}
