/**
 * One form of a text for comparing: no case, no accents, no width, nothing invisible, hyphens and
 * blanks as one.
 */
export function foldedSubject(subject: string): string {
  return (
    subject
      .normalize('NFKC')
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      // A Turkish capital I has no dot, and its small letter is another one than in English.
      .replaceAll('ı', 'i')
      .replace(/[‘’ʼ`]/gu, "'")
      .replace(/[\s\p{Dash}]+/gu, ' ')
      .trim()
  )
}

/** Without the signs around it. */
export const withoutSigns = (text: string) => text.replace(/^[\s*([{<"'|]+|[\s*)\]}>"'.!|:]+$/g, '')
