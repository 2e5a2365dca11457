/** What a header above quoted words says. */
export type HeaderKind = 'from' | 'date' | 'to' | 'subject' | 'other'

/** The names that mail programs give to the headers above what they quote, in their languages. */
const names: Record<HeaderKind, string> = {
  from:
    'from|von|de|da|van|fra|från|od|від|от|от кого|feladó|lähettäjä|kimden|gönderen|από|de la|saatja|no|nuo|' +
    'expéditeur|remitente|mittente|remetente|absender|afsender|odosielateľ|sender|afzender|avsender|avsändare|odesílatel|nadawca|отправитель|' +
    'dari|từ|מאת|من|差出人|送信者|发件人|寄件者|寄件人|보낸사람|보낸 사람',
  date:
    'sent|date|datum|gesendet|enviado|enviada|enviados|enviado el|enviado em|enviada em|enviada el|fecha|envoyé|envoyé le|inviato|data|verzonden|' +
    'sendt|dato|skickat|wysłano|wysłane|odesláno|odoslané|dátum|elküldve|küldve|lähetetty|päivämäärä|päiväys|pvm|' +
    'gönderilme|gönderildi|gönderim|tarih|στάλθηκε|εστάλη|ημερομηνία|отправлено|дата|надіслано|trimis|poslano|' +
    'изпратено|saadetud|kuupäev|nosūtīts|išsiųsta|terkirim|tanggal|đã gửi|ngày|נשלח|תאריך|تاريخ|' +
    'تم الإرسال|送信日時|日時|日付|发送时间|日期|时间|寄件日期|傳送時間|보낸날짜|보낸 날짜|날짜',
  to:
    'to|cc|bcc|an|kopie|para|cco|à|a|pour|aan|til|till|kopi|kopia|do|dw|komu|címzett|másolat|vastaanottaja|' +
    'kopio|kime|bilgi|προς|κοιν|κοιν.|кому|копия|către|za|prima|до|destinataire|destinatario|destinatários|' +
    'adressat|kam|kepada|đến|אל|إلى|宛先|收件人|抄送|收件者|副本|받는사람|받는 사람|참조|empfänger|adresat|ontvanger|mottagare|modtager|mottaker|příjemce|príjemca|odbiorca|alıcı|получатель|παραλήπτης|recipient',
  subject:
    'subject|betreff|asunto|objet|sujet|oggetto|assunto|onderwerp|emne|ämne|ärende|temat|předmět|predmet|tárgy|aihe|konu|' +
    'θέμα|тема|subiect|zadeva|относно|teema|temats|tema|subjek|chủ đề|נושא|الموضوع|件名|主题|主旨|主題|제목',
  other:
    'reply-to|antwort an|répondre à|responder a|attachments|anlagen|anhänge|pièces jointes|datos adjuntos|' +
    'adjuntos|allegati|importance|wichtigkeit|priority|priorität|sent by|gesendet von|organization|' +
    'organisation|mailing list|user-agent|message-id|x-mailer|mime-version|content-type|list-id|' +
    'resent-from|resent-date|resent-to',
}

const kinds = new Map(
  Object.entries(names).flatMap(([kind, all]) =>
    all.split('|').map((name) => [name, kind as HeaderKind] as const),
  ),
)

/** `From: x`, `*Von:* x`, `Envoyé : x`, `差出人： x`. */
const headerPattern = /^[\s*_]*([\p{L}\p{M}][\p{L}\p{M} .'’-]{0,24}?)[*_]*\s?[:：][*_]*\s*(.*)$/u

/** A line that has the form of a header above quoted words; null for any other. */
export function headerOf(line: string): { kind: HeaderKind; value: string } | null {
  if (line.length > 2_000) return null
  const [, name, value] = headerPattern.exec(line) ?? []
  const kind = name === undefined ? undefined : kinds.get(name.toLowerCase().normalize('NFC').trim())
  return kind === undefined ? null : { kind, value: value!.trim() }
}

/** A line of the form of a header whose name is not known here. */
export const isUnknownHeader = (line: string) => line.length < 2_000 && headerPattern.test(line)

/** `From "Ada" <ada@x.example>`: one program writes no colon, below a line that leaves no doubt. */
export function headerWithoutColon(line: string): { kind: HeaderKind; value: string } | null {
  const [, name, value] = /^(From|To|Cc|Date|Subject)\s+(\S.*)$/u.exec(line.slice(0, 2_000)) ?? []
  return name === undefined ? null : { kind: kinds.get(name.toLowerCase())!, value: value! }
}

/** "Wrote", as it stands in the sentence above quoted words. */
const wroteWords =
  'wrote|writes|schrieb|geschrieben|schreef|schrijft|geschreven|a écrit|écrit|escribió|escribio|escribe|va escriure|' +
  'escreveu|ha scritto|scritto|scrive|skrev|skreiv|skriver|kirjoitti|kirjutas|napisał|napisała|napisał\\(a\\)|pisze|' +
  'napsal|napsala|napsal\\(a\\)|napísal|napísala|píše|írta|έγραψε|написал|написала|написал\\(а\\)|пишет|написав|' +
  'написала|написа|пише|yazdı|yazmış|yazıyor|a scris|je napisao|napisao|napisala|je napisal|rakstīja|rašė|menulis|' +
  'đã viết|כתב|כתבה|كتب|写道|寫道|のメール|書きました|님이 작성|작성'
/** Scripts without blanks between words need no border around theirs. */
const wrote = new RegExp(
  `(?:^|[^\\p{L}])(?:${wroteWords})(?=$|[^\\p{L}])|写道|寫道|のメール|書きました|작성`,
  'iu',
)
export const saysWrote = (text: string) => wrote.test(text)

/** The stem of "forwarded" in the line above a forwarded email. */
const forwarded =
  /forwarded|fwd message|weitergeleitet|transféré|transmis|réexpédié|reenviad|reenvío|inoltrat|encaminhad|reencaminhad|doorgestuurd|videresend|vidarebefordra|välitet|edelleen lähet|przekazan|przekazywan|přeposlan|preposlan|továbbított|προωθ|пересыла|переслан|переадрес|перенаправлен|переслать|iletilen|iletildi|yönlendirilen|redirecționat|转发|轉寄|転送|전달/iu
export const saysForwarded = (line: string) => line.length < 200 && forwarded.test(line)
