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

/** A prefix may be counted: `Re[2]:`, `RE (2):`. */
const first =
  /^\s*(?:\[[^\]]{0,40}\]\s*)?([\p{L}\p{M}][\p{L}\p{M} -]{0,20}?)\s*(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]/u

const answers = new Set(answer.split('|'))
const forwards = new Set(forward.split('|'))

function prefixOf(subject: string): string {
  return (first.exec(subject)?.[1] ?? '').toLowerCase().normalize('NFC').trim()
}

/** Whether the subject marks the email as an answer: then the email it quotes is known here. */
export function isReply(subject: string): boolean {
  return answers.has(prefixOf(subject))
}

/** Whether the subject marks the email as a forwarded one, whose words are new here (decision 9.7). */
export function isForwarded(subject: string): boolean {
  const prefix = prefixOf(subject)
  return forwards.has(prefix) && !answers.has(prefix)
}
