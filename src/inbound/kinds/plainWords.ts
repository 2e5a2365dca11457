/** Characters of a text or of HTML that are read here. */
const mostCompared = 20_000

/** Whether an email says nothing in its text and its HTML. */
export function hasNoWords({ text, html }: { text: string; html: string }): boolean {
  return plainWords(text) === '' && plainWords(roughText(html)) === ''
}

/** The first words of an email: of its text or, without any, of its HTML. */
export function firstWords({ text, html }: { text: string; html: string }): string {
  return plainWords(text) || plainWords(roughText(html))
}

/** Lines without blanks around them, and without blank lines. */
function plainWords(text: string): string {
  return text
    .slice(0, mostCompared)
    .split('\n')
    .map((line) => line.replace(/[\s\p{Cf}]+/gu, ' ').trim())
    .filter(Boolean)
    .join('\n')
}

/** What HTML shows, roughly: this only asks whether anything is said, and how it begins. */
function roughText(html: string): string {
  return html
    .slice(0, mostCompared)
    .replace(/<(style|script|head|title)\b[^>]{0,500}>[^<]*(?:<(?!\/\1)[^<]*)*(<\/\1>|$)/gi, ' ')
    .replace(/<(\/(p|div|tr|h\d|li)|br)\b[^<>]{0,500}>/gi, '\n')
    .replace(/<img\b[^<>]{0,2000}\balt="([^"]{1,30})"[^<>]*>/gi, '[$1] ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;|&#160;/g, ' ')
}
