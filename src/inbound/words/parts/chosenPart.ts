/**
 * An email's plain part loses to its HTML with less than this share of its letters (decision 9.6).
 */
const smallestShare = 1 / 5

const links = /<?\b(?:https?|ftp|mailto|tel):[^\s<>]+>?|\bwww\.[^\s<>]+/giu
const contentIds = /\[(?:cid:|image:|inline image)[^\]]{0,300}\]|<cid:[^>]{0,300}>/giu

/** "Sent from my iPhone", "Get Outlook for Android": what a program adds, in its languages. */
const phone =
  /^[\s*_]*(?:sent (?:from|via|with|using)|get outlook|gesendet (?:von|mit|via)|von meinem .* gesendet|outlook für|envoyé (?:de|depuis|à partir|avec)|télécharge[rz]|obtenez|enviad[oa] (?:desde|do|de|a partir|via)|obtener|inviato da|scarica|ottieni|verzonden (?:vanaf|met|via|vanuit)|verstuurd vanaf|download|skickat från|sendt fra|hämta|hent|lähetetty|wysłan[eo] z|odesláno z|elküldve|enviat des|отправлено (?:с|из)|στάλθηκε από|iphone|android|发自|發自|從我的).*(?:iphone|ipad|ios|android|samsung|galaxy|huawei|xiaomi|pixel|blackberry|smartphone|handy|mobil|outlook|yahoo|proton|gmx|web\.de|aol|mail|k-9|windows|tel[eé]f|tablet)/iu
const longestPhone = 120

/** "Your email client does not support HTML", "View this email in your browser". */
const html = /html/iu
const notSupported =
  /support|display|view|show|read|enable|unterstütz|anzeig|darstell|ansehen|soport|admite|mostrar|visualiz|ver |affich|support|visualizz|leggere|suport|exibir|ondersteun|weergeven|bekijk|visa|visning|vis |näyt|tuke|wyświetl|obsług|zobraz|podpor|megjelen|támogat|поддерж|просмотр|отобра|προβολ|υποστηρ|görüntü|destek|表示|対応|支持|显示|顯示|查看/iu
const browser =
  /browser|navegador|navigateur|navegadora|przeglądar|prohlížeč|prehliadač|böngésző|selaime|tarayıcı|браузер|πρόγραμμα περιήγησης|nettleser|webbläsare|ブラウザ|浏览器|瀏覽器|브라우저|online version|onlineversion|version en ligne|versión en línea|versione online|web version|webversion/iu
/** A longer text says more than that. */
const longestPlaceholder = 400

/** The plain part without what a program puts there instead of words. */
function wordsAlone(text: string): string {
  const bare = text.replace(links, ' ').replace(contentIds, ' ')
  const lines = bare.split('\n').filter((line) => line.length > longestPhone || !phone.test(line))
  const rest = lines.join('\n').trim()
  return isPlaceholder(rest) ? '' : rest
}

function isPlaceholder(text: string): boolean {
  if (text.length > longestPlaceholder) return false
  return notSupported.test(text) && (html.test(text) || (browser.test(text) && text.split('\n').length < 4))
}

const countLetters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0

/** Which part of an email is read (decision 9.6); the HTML comes as text. */
export function choosePart(plain: string, fromHtml: string): 'plain' | 'html' {
  const inHtml = countLetters(fromHtml.replace(links, ' ').replace(contentIds, ' '))
  if (inHtml === 0) return plain === '' && fromHtml !== '' ? 'html' : 'plain'
  const inPlain = countLetters(wordsAlone(plain))
  return inPlain < inHtml * smallestShare ? 'html' : 'plain'
}

/** The plain part says only that the email is HTML: nobody needs to read that. */
export const saysNothing = (plain: string) => countLetters(wordsAlone(plain)) === 0
