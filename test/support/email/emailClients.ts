import { load } from 'cheerio'
import { writeAboveMark } from '../../../src/vocabulary/email/ownEmail.js'

/** An email of ours as an email program has it before somebody answers. */
export type Original = { text: string; html: string; subject: string }
/** An answer as the email provider brings it. */
export type Answer = { text: string; html: string }

const us = 'Our building <caretaker@house.example>'
const to = 'Somebody Else <somebody@elsewhere.example>'

export const quote = (text: string, sign = '> ') =>
  text
    .split('\n')
    .map((line) => (sign + line).trimEnd())
    .join('\n')

/** Hard line breaks after so many characters, as some programs make before they quote. */
export const wrapped = (text: string, width: number) =>
  text
    .split('\n')
    .map((line) => line.replace(new RegExp(`(.{1,${width}})(\\s+|$)`, 'g'), '$1\n').trimEnd())
    .join('\n')

type PlainStyle = (fresh: string, original: Original) => string
type HtmlStyle = (fresh: string, html: string, subject: string) => string

const above =
  (introduction: string, sign = '> '): PlainStyle =>
  (fresh, { text }) =>
    `${fresh}\n\n${introduction}\n\n${quote(text, sign)}`

/** A block of headers and the email as it is. */
const block =
  (rule: string, names: [string, string, string, string], when: string, join = ': '): PlainStyle =>
  (fresh, { text, subject }) =>
    `${fresh}\n\n${rule}${[us, when, to, subject].map((value, i) => names[i] + join + value).join('\n')}\n\n${text}`

const line = '________________________________\n'
const english = 'Monday, 16 November 2026 10:00'

/** Answers in plain text, by email program, language and place of the new words. */
export const plainStyles: Record<string, PlainStyle> = {
  'Gmail, English': above(`On Mon, Nov 16, 2026 at 10:00 AM ${us}\nwrote:`),
  'Gmail, Spanish': above(
    'El lun, 16 nov 2026 a las 10:00, Our building (<caretaker@house.example>)\nescribió:',
  ),
  'Gmail, French': above(`Le lun. 16 nov. 2026 à 10:00, ${us} a\nécrit :`),
  'Gmail, German': above(
    'Am Mo., 16. Nov. 2026 um 10:00 Uhr schrieb Our building <\ncaretaker@house.example>:',
  ),
  'Gmail, Italian': above(`Il giorno lun 16 nov 2026 alle ore 10:00 ${us}\nha scritto:`),
  'Gmail, Portuguese': above(`Em seg., 16 de nov. de 2026 às 10:00, ${us}\nescreveu:`),
  'Gmail, Polish': above(`pon., 16 lis 2026 o 10:00 ${us} napisał(a):`),
  'Gmail, Russian': above(`пн, 16 нояб. 2026 г. в 10:00, ${us}:`),
  'Gmail, Dutch': above(`Op ma 16 nov 2026 om 10:00 schreef ${us}:`),
  'Gmail, Swedish': above(`Den mån 16 nov. 2026 kl 10:00 skrev ${us}:`),
  'Gmail, Japanese': above(`2026年11月16日(月) 10:00 ${us}:`),
  'Gmail, Chinese': above(`${us} 于2026年11月16日周一 10:00写道：`),
  'Gmail, not quoted': above(`On Mon, Nov 16, 2026 at 10:00 AM ${us} wrote:`, ''),
  'Outlook, English': block('', ['From', 'Sent', 'To', 'Subject'], english),
  'Outlook, German': block(line, ['Von', 'Gesendet', 'An', 'Betreff'], 'Montag, 16. November 2026 10:00'),
  'Outlook, French': block(line, ['De', 'Envoyé', 'À', 'Objet'], 'lundi 16 novembre 2026 10:00', ' : '),
  'Outlook, Spanish': block(
    line,
    ['De', 'Enviado el', 'Para', 'Asunto'],
    'lunes, 16 de noviembre de 2026 10:00',
  ),
  'Outlook, Italian': block(line, ['Da', 'Inviato', 'A', 'Oggetto'], 'lunedì 16 novembre 2026 10:00'),
  'Outlook, Portuguese': block(line, ['De', 'Enviado', 'Para', 'Assunto'], '16 de novembro de 2026 10:00'),
  'Outlook, Dutch': block(line, ['Van', 'Verzonden', 'Aan', 'Onderwerp'], 'maandag 16 november 2026 10:00'),
  'Outlook, Polish': block(line, ['Od', 'Wysłano', 'Do', 'Temat'], 'poniedziałek, 16 listopada 2026 10:00'),
  'Outlook, Russian': block(line, ['От', 'Отправлено', 'Кому', 'Тема'], '16 ноября 2026 г. 10:00'),
  'Outlook, Swedish': block(line, ['Från', 'Skickat', 'Till', 'Ämne'], 'den 16 november 2026 10:00'),
  'Outlook for iOS': (fresh, original) =>
    block(
      line,
      ['From', 'Sent', 'To', 'Subject'],
      english,
    )(`${fresh}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>`, original),
  'Outlook, bold headers': block('', ['*From', '*Sent', '*To', '*Subject'], english, ':* '),
  'Apple Mail, English': (fresh, { text }) =>
    `${fresh}\n\n> On 16 Nov 2026, at 10:00, ${us} wrote:\n> \n${quote(text)}`,
  'Apple Mail, German': (fresh, { text }) =>
    `${fresh}\n\n> Am 16.11.2026 um 10:00 schrieb ${us}:\n> \n${quote(text)}`,
  'Apple Mail, iPhone': (fresh, { text }) =>
    `${fresh}\n\nSent from my iPhone\n\n> On 16 Nov 2026, at 10:00, ${us} wrote:\n> \n> ${quote(text).slice(2)}`,
  'Apple Mail, forwarded': (fresh, original) =>
    block('Begin forwarded message:\n\n', ['From', 'Date', 'To', 'Subject'], english)(fresh, original),
  'Yahoo, English, not quoted': above(
    `    On Monday, November 16, 2026 at 10:00:00 AM GMT, ${us} wrote:  \n `,
    ' ',
  ),
  'Yahoo, Spanish, not quoted': above(
    `    En lunes, 16 de noviembre de 2026, 10:00:00 CET, ${us} escribió:  \n `,
    ' ',
  ),
  'GMX, not quoted': block(
    '',
    ['Von', 'Gesendet', 'An', 'Betreff'],
    'Montag, 16. November 2026 um 10:00 Uhr',
  ),
  'Zimbra, English': block('----- Original Message -----\n', ['From', 'Sent', 'To', 'Subject'], english),
  'Zimbra, French': block('', ['De', 'Envoyé', 'À', 'Objet'], 'Lundi 16 Novembre 2026 10:00:00'),
  'Thunderbird, English': above('On 16/11/2026 10:00, Our building wrote:'),
  'Thunderbird, Spanish': above('El 16/11/26 a las 10:00, Our building escribió:'),
  'Thunderbird, answered below': (fresh, { text }) =>
    `On 16/11/2026 10:00, Our building wrote:\n${quote(text)}\n\n${fresh}`,
  'Thunderbird, German, answered below': (fresh, { text }) =>
    `Am 16.11.26 um 10:00 schrieb Our building:\n\n${quote(text)}\n${fresh}\n`,
  'Thunderbird, answered between': (fresh, { text }) => {
    const lines = quote(text).split('\n')
    return [
      `On 16/11/2026 10:00, Our building wrote:`,
      ...lines.slice(0, 8),
      '',
      fresh,
      '',
      ...lines.slice(8),
    ].join('\n')
  },
  'Proton Mail': above(`On Monday, November 16th, 2026 at 10:00 AM, ${us} wrote:`),
  Samsung: block('-------- Original message --------\n', ['From', 'Date', 'To', 'Subject'], english),
  'K-9': block('-----Original Message-----\n', ['From', 'Sent', 'To', 'Subject'], english),
  AOL: block('-----Original Message-----\n', ['From', 'Sent', 'To', 'Subject'], 'Mon, 16 Nov 2026 10:00 am'),
  'mutt, with another sign': above('On Mon, Nov 16, 2026 at 10:00:00AM +0000, Our building wrote:', '| '),
  'quoted twice': (fresh, { text }) =>
    `${fresh}\n\nOn Mon, Bob <bob@x.example> wrote:\n${quote(`On Mon, Nov 16, 2026, ${us} wrote:\n${quote(text)}`)}`,
  'wrapped before it was quoted': (fresh, { text }) =>
    `${fresh}\n\nOn 16 Nov 2026, ${us} wrote:\n${quote(wrapped(text, 14))}`,
  'wrapped after it was quoted': (fresh, { text }) =>
    `${fresh}\n\nOn 16 Nov 2026, ${us} wrote:\n${wrapped(quote(text), 18)}`,
  'in capitals, with escaped signs': (fresh, { text }) =>
    `${fresh}\n\nOn 16 Nov 2026, ${us} wrote:\n${quote(text).replaceAll('#', '\\#').toUpperCase()}`,
  'without a word of introduction': (fresh, { text }) => `${fresh}\n\n${text}`,
  'answered below, not quoted': (fresh, { text }) => `${text}\n\n${fresh}`,
}

const english2 = `On Mon, Nov 16, 2026 at 10:00 AM ${us.replace('<', '&lt;').replace('>', '&gt;')} wrote:`
const headers = (subject: string) =>
  ['From', 'Sent', 'To', 'Subject']
    .map((name, i) => `<b>${name}:</b> ${[us, english, to, subject][i]!.replaceAll('<', '&lt;')}`)
    .join('<br>')
const paragraphs = (fresh: string) =>
  fresh
    .split('\n')
    .map((each) => `<p>${each}</p>`)
    .join('')

/** What is inside the body of our email, after an email program changed it. */
export function inside(html: string, change: (page: ReturnType<typeof load>) => void = () => {}): string {
  const page = load(html)
  change(page)
  return page('body').html()!
}

export const renamed = (prefix: string) => (page: ReturnType<typeof load>) => {
  for (const element of page('[id], [class]').toArray())
    for (const name of ['id', 'class'])
      if (element.attribs[name])
        element.attribs[name] = element.attribs[name].replace(/(^|\s)(?=\S)/g, `$1${prefix}`)
}
export const stripped = (page: ReturnType<typeof load>) => {
  page('*').removeAttr('id').removeAttr('class').removeAttr('style')
}
const translated = (page: ReturnType<typeof load>) => {
  page(`.${writeAboveMark}`).text('Bitte oberhalb dieser Zeile schreiben')
}

/** Answers that are HTML alone, by email program. */
export const htmlStyles: Record<string, HtmlStyle> = {
  'Gmail, HTML': (fresh, html) =>
    `<div dir="ltr">${paragraphs(fresh)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${english2}<br></div><blockquote class="gmail_quote">${inside(html, renamed('m_-4521'))}</blockquote></div>`,
  'Outlook, HTML': (fresh, html, subject) =>
    `<html><body><div>${paragraphs(fresh)}</div><hr><div id="divRplyFwdMsg"><font>${headers(subject)}</font></div><div>${inside(html, renamed('x_'))}</div></body></html>`,
  'Outlook for Windows, HTML': (fresh, html, subject) =>
    `<div class="WordSection1">${paragraphs(fresh)}<div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">${headers(subject)}</p></div>${inside(html, stripped)}</div>`,
  'Yahoo, HTML': (fresh, html) =>
    `<div class="yahoo-style-wrap">${paragraphs(fresh)}</div><div class="yahoo_quoted"><div><div>${english2}</div><div>${inside(html, renamed('yiv12'))}</div></div></div>`,
  'GMX, HTML': (fresh, html, subject) =>
    `<div>${paragraphs(fresh)}<div name="quote" style="margin:10px 5px"><div>${headers(subject)}</div><div name="quoted-content">${inside(html)}</div></div></div>`,
  'Apple Mail, HTML': (fresh, html) =>
    `${paragraphs(fresh)}<br><blockquote type="cite"><div>${english2}</div><br><div>${inside(html)}</div></blockquote>`,
  'Thunderbird, HTML, answered below': (fresh, html) =>
    `<div class="moz-cite-prefix">${english2}</div><blockquote type="cite">${inside(html)}</blockquote>${paragraphs(fresh)}`,
  'a program that keeps words alone, HTML': (fresh, html) =>
    `${paragraphs(fresh)}<div>${english2}</div>${inside(html, stripped)}`,
  'a program that translates, HTML': (fresh, html) =>
    `${paragraphs(fresh)}<div>${english2}</div><blockquote>${inside(html, translated)}</blockquote>`,
  'Zimbra, HTML, answered below and not quoted': (fresh, html) =>
    `<div>${inside(html, renamed('zm_'))}</div><hr>${paragraphs(fresh)}`,
}

/** Every way to answer, made of these words and this email. */
export const answerStyles: [name: string, answer: (fresh: string, original: Original) => Answer][] = [
  ...Object.entries(plainStyles).map(([name, style]): (typeof answerStyles)[number] => [
    name,
    (fresh, original) => ({ text: style(fresh, original), html: '' }),
  ]),
  ...Object.entries(htmlStyles).map(([name, style]): (typeof answerStyles)[number] => [
    name,
    (fresh, { html, subject }) => ({ text: '', html: style(fresh, html, subject) }),
  ]),
]
