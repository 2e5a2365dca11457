/** What mail programs put before the subject of an answer, in their languages. */
const answer =
  'aw|ang|antw|antwort|atb|bls|odp|odpoveď|odpověď|r|re|ref|réf|rép|réponse|res|resp|rif|risp|sv|va|vá|vs|' +
  'ynt|yan|cevap|πρ|απ|απάντηση|σχετ|отв|ответ|відп|відповідь|răsp|хариу|vast|svar|' +
  'השב|תגובה|رد|پاسخ|回复|回覆|答复|答覆|回信|返信|답장|회신|trả lời|tl'
/** The same of a forwarded email. `vs` is Finnish for an answer and Norwegian for this. */
const forward =
  'fwd|fw|wg|tr|rv|i|enc|doorst|vs|vl|vb|vid|videresendt|pd|fs|ilt|i̇lt|továbbítás|tov|továbbítva|πρθ|προώθ|' +
  'пересл|переслано|redir|trs|přep|přeposláno|yönl|weitergeleitet|reenv|re-env|fowarded|forwarded|' +
  'הועבר|إعادة توجيه|转发|轉寄|轉發|転送|전달'

/** Without accents and in lower case, as some programs write them. */
function folded(word: string): string {
  return word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i').trim()
}

const answers = new Set(answer.split('|').map(folded))
const forwards = new Set(forward.split('|').map(folded))

/** A prefix may be counted: `Re[2]:`, `RE (2):`. A label may stand before it: `[House] Re:`. */
const label = /^\s*\[[^\]]{0,40}\]\s*/u
const prefix = /^\s*([\p{L}\p{M}][\p{L}\p{M} -]{0,20}?)\s*(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]/u

function prefixOf(subject: string): string {
  return folded(prefix.exec(subject.replace(label, ''))?.[1] ?? '')
}

/** Whether a word is what mail programs put before the subject of an answer, such as "Re". */
export function isReplyPrefix(word: string): boolean {
  return answers.has(folded(word))
}

/** Whether the subject marks the email as an answer: then the email it quotes is known here. */
export function isReply(subject: string): boolean {
  return answers.has(prefixOf(subject))
}

/**
 * Whether the subject marks the email as a forwarded one, whose words are new here (decision 9.7).
 */
export function isForwarded(subject: string): boolean {
  const prefix = prefixOf(subject)
  return forwards.has(prefix) && !answers.has(prefix)
}

/** A subject without what mail programs put before it: "Lift" of "Re: AW: Lift". */
export function withoutPrefixes(subject: string): string {
  let rest = subject.trimStart()
  for (;;) {
    const [match, word = ''] = prefix.exec(rest) ?? ['']
    if (!answers.has(folded(word)) && !forwards.has(folded(word))) return rest
    rest = rest.slice(match.length).trimStart()
  }
}
