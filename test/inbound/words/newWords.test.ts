import { describe, expect, it } from 'vitest'
import { newWords } from '../../support/email/ownEmail.js'

const us = 'Larkspur Court <reports@house.example>'

describe('words of an answer that stay', () => {
  it.each([
    ['a rule', 'Three things:\n\n---\n\n1. The door does not close\n2. The light is out'],
    [
      'rules of other signs',
      'One\n=====\nTwo\n+++++\nThree\n________________________________\nFour\n*****\nFive',
    ],
    ['a closing formula', 'Fixed.\n\nBest regards,\nJane\n\nPS: The alarm button in the cabin does nothing!'],
    ['a telephone’s own line', 'No.\n\nSent from my iPhone'],
    ['> in a sentence', 'It is\n> 30 degrees in flat 12, come'],
    ['> that compares', '> 30 degrees\n> 28 degrees'],
    ['a table of bars', '| Mon | Tue |\n| 3 | 4 |'],
    ['header words in a sentence', 'Von: Montag\nDatum: 1. Dezember\nBis: heute\nist es kalt'],
    ['a letter head', 'From: flat 12\nTo: the office\nSubject: Heating\n\nIt is cold.'],
    ['a sentence with a colon', 'The firm (info@lift.example) said at 10:30 on 16.11.2026:\nWe do not come.'],
    ['somebody’s own "wrote"', 'On Monday 16 Nov 2026 I wrote:\nThe door is open.'],
    ['dashes that open no signature', 'One\n--\nTwo\n-- three'],
    ['On the other hand', 'On the other hand, it works:\nsometimes'],
  ])('below or in %s', (_what, text) => {
    expect(newWords(text)).toBe(text)
  })

  it('between and below our quoted lines, in their order', () => {
    const text = `My answers are below.

On Mon, Nov 16, 2026 at 10:00 AM ${us} wrote:

> ## Reply above this line ##
>
> Which side is it?

The left side.

> Is the remote working?

No, and someone is locked in.`
    expect(newWords(text)).toBe('My answers are below.\n\nThe left side.\n\nNo, and someone is locked in.')
  })

  it('below our email, with a greeting above it', () => {
    const text = `Hi,\n\nOn 16/11/2026 10:00, ${us} wrote:\n> ## Reply above this line ##\n> Which side is it?\n\nThe left one.`
    expect(newWords(text)).toBe('Hi,\n\nThe left one.')
  })

  it.each([
    ['in lines of their own', '\nThe left side.', '\nNo, and someone is locked in.'],
    ['in our lines', ' The left side.', ' No, and someone is locked in.'],
  ])('within our text without quote signs, %s', (_where, one, other) => {
    const text = `See my answers in red below.\n\n${outlook}${ours(one, other)}\n\nThank you!`
    expect(newWords(text, { storedTexts })).toBe(
      'See my answers in red below.\n\nThe left side.\n\nNo, and someone is locked in.\n\nThank you!',
    )
  })

  it('and nothing of ours, where nothing was answered', () => {
    for (const header of ['', outlook, `On 16/11/2026 10:00, ${us} wrote:\n\n`]) {
      expect(newWords(`Fine.\n\n${header}${ours('')}`, { storedTexts })).toBe('Fine.')
      // Without its first line, sentences are known that only our emails have.
      expect(newWords(`Fine.\n\n${header}${ours('').split('\n').slice(2).join('\n')}`, { storedTexts })).toBe(
        'Fine.',
      )
    }
  })

  it('with a thumb alone in our text', () => {
    expect(newWords(ours('\n👍'), { storedTexts })).toBe('👍')
  })

  it('although the same sentence stands in our email', () => {
    const text = `Is the remote working? Yes.\n\n${ours('')}`
    expect(newWords(text, { storedTexts })).toBe('Is the remote working? Yes.')
  })
})

/** What email programs write above the words of someone else, and those words. */
const history: [program: string, quoted: string][] = [
  ['Gmail, English', 'On Mon, 16 Nov 2026 at 10:00, Erika Privat <e@x.example> wrote:\n> SECRET'],
  [
    'Gmail, wrapped',
    'On Mon, Nov 16, 2026 at 10:00 AM Erika Privat <e@x.example>\nwrote:\n\n> SECRET\n>\n> SECRET',
  ],
  ['Gmail, German', 'Am Mo., 16. Nov. 2026 um 10:00 Uhr schrieb Erika Privat <\ne@x.example>:\n\n> SECRET'],
  ['Gmail, French', 'Le lun. 16 nov. 2026 à 10:00, Erika Privat <e@x.example> a écrit :\n\n> SECRET'],
  ['Gmail, Spanish', 'El lun, 16 nov 2026 a las 10:00, Erika Privat (<e@x.example>) escribió:\n\n> SECRET'],
  [
    'Gmail, Italian',
    'Il giorno lun 16 nov 2026 alle ore 10:00 Erika Privat <e@x.example> ha scritto:\n\n> SECRET',
  ],
  [
    'Gmail, Portuguese',
    'Em seg., 16 de nov. de 2026 às 10:00, Erika Privat <e@x.example> escreveu:\n\n> SECRET',
  ],
  ['Gmail, Polish', 'pon., 16 lis 2026 o 10:00 Erika Privat <e@x.example> napisał(a):\n\n> SECRET'],
  ['Gmail, Czech', 'po 16. 11. 2026 v 10:00 odesílatel Erika Privat <e@x.example> napsal:\n\n> SECRET'],
  ['Gmail, Turkish', 'Erika Privat <e@x.example>, 16 Kas 2026 Pzt, 10:00 tarihinde şunu yazdı:\n\n> SECRET'],
  [
    'Gmail, Hungarian',
    'Erika Privat <e@x.example> ezt írta (időpont: 2026. nov. 16., H,\n10:00):\n\n> SECRET',
  ],
  ['Gmail, Finnish', 'ma 16. marrask. 2026 klo 10.00 Erika Privat (e@x.example) kirjoitti:\n\n> SECRET'],
  ['Gmail, Danish', 'Den man. 16. nov. 2026 kl. 10.00 skrev Erika Privat <e@x.example>:\n\n> SECRET'],
  ['Gmail, Norwegian', 'man. 16. nov. 2026 kl. 10:00 skrev Erika Privat <e@x.example>:\n\n> SECRET'],
  [
    'Gmail, Greek',
    'Στις Δευ 16 Νοε 2026 στις 10:00 π.μ., ο χρήστης Erika Privat <e@x.example> έγραψε:\n\n> SECRET',
  ],
  ['Gmail, Russian', 'пн, 16 нояб. 2026 г. в 10:00, Erika Privat <e@x.example>:\n\n> SECRET'],
  ['Gmail, Japanese', '2026年11月16日(月) 10:00 Erika Privat <e@x.example>:\n\n> SECRET'],
  ['Gmail, Chinese', 'Erika Privat <e@x.example> 于2026年11月16日周一 10:00写道：\n\n> SECRET'],
  ['Thunderbird, Polish', 'W dniu 16.11.2026 o 10:00, Erika Privat pisze:\n> SECRET'],
  ['Thunderbird, Czech', 'Dne 16. 11. 26 v 10:00 Erika Privat napsal(a):\n> SECRET'],
  ['Apple Mail', '> On 16 Nov 2026, at 10:00, Erika Privat <e@x.example> wrote:\n> \n> SECRET'],
  ['Apple Mail, Japanese', '2026/11/16 10:00、Erika Privat <e@x.example>のメール:\n\n> SECRET'],
  ['mutt', 'On Mon, Nov 16, 2026 at 10:00:00AM +0000, Erika Privat wrote:\n| SECRET'],
  [
    'Yahoo',
    '    On Monday, November 16, 2026 at 10:00:00 AM GMT, Erika Privat <e@x.example> wrote:  \n \n SECRET',
  ],
  [
    'Yahoo, Spanish',
    '    En lunes, 16 de noviembre de 2026, 10:00:00 CET, Erika Privat <e@x.example> escribió:  \n \n SECRET',
  ],
  ['Mail.ru', 'Понедельник, 16 ноября 2026, 10:00 +03:00 от Erika Privat <e@x.example>:\n\n>SECRET'],
  ['Yandex', '16.11.2026, 10:00, "Erika Privat" <e@x.example>:\n> SECRET'],
  ['163', '在 2026-11-16 10:00:00，"Erika Privat" <e@x.example> 写道：\n\nSECRET'],
  [
    'GMX',
    'Gesendet: Montag, 16. November 2026 um 10:00 Uhr\nVon: "Erika Privat" <e@x.example>\nAn: x\nBetreff: y\nSECRET',
  ],
  [
    'Zimbra, French',
    '----- Mail original -----\nDe: "Erika Privat" <e@x.example>\nÀ: "O" <o@x.example>\nEnvoyé: Lundi 16 Novembre 2026 10:00:00\nObjet: y\n\nSECRET',
  ],
  [
    'Zimbra, without a rule',
    'De: "Erika Privat" <e@x.example>\nÀ: "O" <o@x.example>\nEnvoyé: Lundi 16 Novembre 2026\nObjet: y\n\nSECRET',
  ],
  [
    'Outlook in one office',
    'From: Erika Privat\nSent: Monday, 16 November 2026 10:00\nTo: The office\nSubject: y\n\nSECRET',
  ],
  [
    'Outlook, bold',
    '*From:* Erika Privat <e@x.example>\n*Sent:* Monday, 16 November 2026 10:00\n*To:* x\n*Subject:* y\n\nSECRET',
  ],
  [
    'Outlook, Polish',
    'Od: Erika Privat <e@x.example>\nWysłano: 16 listopada 2026 10:00\nDo: x\nTemat: y\n\nSECRET',
  ],
  [
    'Outlook, Czech',
    'Od: Erika Privat <e@x.example>\nOdesláno: pondělí 16. listopadu 2026 10:00\nKomu: x\nPředmět: y\n\nSECRET',
  ],
  [
    'Outlook, Hungarian',
    'Feladó: Erika Privat <e@x.example>\nElküldve: 2026. november 16.\nCímzett: x\nTárgy: y\n\nSECRET',
  ],
  [
    'Outlook, Finnish',
    'Lähettäjä: Erika Privat <e@x.example>\nLähetetty: maanantai 16. marraskuuta 2026 10.00\nVastaanottaja: x\nAihe: y\n\nSECRET',
  ],
  [
    'Outlook, Turkish',
    'Kimden: Erika Privat <e@x.example>\nGönderildi: 16 Kasım 2026 Pazartesi 10:00\nKime: x\nKonu: y\n\nSECRET',
  ],
  [
    'Outlook, Danish',
    'Fra: Erika Privat <e@x.example>\nSendt: 16. november 2026 10:00\nTil: x\nEmne: y\n\nSECRET',
  ],
  [
    'Outlook, Swedish',
    'Från: Erika Privat <e@x.example>\nSkickat: den 16 november 2026 10:00\nTill: x\nÄmne: y\n\nSECRET',
  ],
  [
    'Outlook, Greek',
    'Από: Erika Privat <e@x.example>\nΣτάλθηκε: 16 Νοεμβρίου 2026\nΠρος: x\nΘέμα: y\n\nSECRET',
  ],
  [
    'Outlook, Russian',
    'От: Erika Privat <e@x.example>\nОтправлено: 16 ноября 2026 г. 10:00\nКому: x\nТема: y\n\nSECRET',
  ],
  [
    'Outlook, Japanese',
    '差出人: Erika Privat <e@x.example>\n送信日時: 2026年11月16日 10:00\n宛先: x\n件名: y\n\nSECRET',
  ],
  [
    'Outlook, Chinese',
    '发件人: Erika Privat <e@x.example>\n发送时间: 2026年11月16日 10:00\n收件人: x\n主题: y\n\nSECRET',
  ],
  [
    'QQ',
    '------------------ 原始邮件 ------------------\n发件人: "Erika Privat"<e@x.example>;\n发送时间: 2026年11月16日\n收件人: x;\n主题: y\n\nSECRET',
  ],
  [
    'Samsung',
    '-------- Original message --------\nFrom: Erika Privat <e@x.example>\nDate: 16/11/2026 10:00 (GMT+00:00)\nTo: x\nSubject: y\n\nSECRET',
  ],
  [
    'K-9',
    '-----Original Message-----\nFrom: Erika Privat <e@x.example>\nSent: Monday, 16 November 2026 10:00\nTo: x\nSubject: y\n\nSECRET',
  ],
  [
    'Seznam',
    '---------- Původní e-mail ----------\nOd: Erika Privat <e@x.example>\nKomu: x\nDatum: 16. 11. 2026 10:00:00\nPředmět: y\n\nSECRET',
  ],
  ['a mark and one header', '-----Original Message-----\nFrom: x\n\nSECRET'],
]

describe('history goes from an answer', () => {
  it.each(history)('in the manner of %s', (_program, quoted) => {
    expect(newWords(`Works again.\nThank you!\n\n${quoted}\n`)).toBe('Works again.\nThank you!')
  })

  it('and a signature, up to what is quoted below it', () => {
    expect(newWords('Words\n-- \nAda\n+49 171')).toBe('Words')
    expect(newWords('-- \nAda')).toBe('')
    const text = 'Words\n-- \nAda\n\nOn 16 Nov 2026, B <b@x.example> wrote:\n> old\n\nBelow.'
    expect(newWords(text)).toBe('Words\n\nBelow.')
  })

  it('between answers, and costs any amount of $', () => {
    expect(newWords('> Is it fixed?\nNo.\n> Since when?\nIt costs $5, $& and $1.\n')).toBe(
      'No.\nIt costs $5, $& and $1.',
    )
  })

  it('and nothing is left where nothing else was', () => {
    expect(newWords('On Mon, Bob <b@x.example> wrote:\n> everything\n')).toBe('')
    expect(newWords('')).toBe('')
  })

  it('but stays in a report that answers nothing', () => {
    const text = 'They wrote to me:\n\n> We come on Monday.\n\nNobody came.'
    expect(newWords(text, { isAnswer: false })).toBe(text)
  })
})

describe('a forwarded email', () => {
  const headers =
    'From: Erika Privat <e@x.example>\nDate: Mon, 16 Nov 2026 at 10:00\nSubject: Water\nTo: x\n\n'
  const rest = 'Water in the cellar.\n> older\n-- \nErika\n0171 5550123'
  const kept = 'Erika Privat\n\nWater in the cellar.\n> older'

  it.each([
    [
      'Gmail',
      `Please see.\n\n---------- Forwarded message ---------\n${headers}${rest}`,
      `Please see.\n\n${kept}`,
    ],
    [
      'Outlook',
      `Please see.\n\n________________________________\n${headers}${rest}`,
      `Please see.\n\n${kept}`,
    ],
    ['no words of its own', `-----Ursprüngliche Nachricht-----\n${headers}${rest}`, kept],
    [
      'Apple Mail',
      'FYI\n\nBegin forwarded message:\n\n> From: Erika Privat <e@x.example>\n> Subject: Water\n> To: x\n> \n> Water.',
      'FYI\n\nErika Privat\n\nWater.',
    ],
    [
      'Outlook, twice',
      `See.\n\n${headers}First.\n\nVon: Otto <o@x.example>\nGesendet: 1. Mai 2026\nAn: x\nBetreff: y\n\nSecond.`,
      'See.\n\nErika Privat\n\nFirst.\n\nOtto\n\nSecond.',
    ],
    ['an address alone', 'See.\n\nFrom: e@x.example\nTo: x\nSubject: y\n\nWater.', 'See.\n\nWater.'],
  ])('of %s keeps its words and its sender’s name', (_program, text, words) => {
    expect(newWords(text, { isAnswer: false, isForwarded: true })).toBe(words)
    // The mark says it, or that nothing is answered.
    expect(newWords(text, { isAnswer: false })).toBe(words)
  })

  it('with a mark, or without words above it, is one in an answer as well', () => {
    const marked = `FYI\n\n---------- Forwarded message ---------\n${headers}Water.`
    expect(newWords(marked)).toBe('FYI\n\nErika Privat\n\nWater.')
    expect(newWords(`-----Original Message-----\n${headers}Water.`)).toBe('Erika Privat\n\nWater.')
  })

  it('of ours loses what is ours', () => {
    const text = `Who is this for?\n\n---------- Forwarded message ---------\n${outlook}${ours('')}`
    expect(newWords(text, { isAnswer: false, isForwarded: true, storedTexts })).toBe('Who is this for?')
  })
})

/** What the office wrote, as it is stored. */
const storedTexts = [
  'We looked at the gate.\n\nWhich side is it?\n\nIs the remote working?',
  'Garage gate stays open',
]

/** Our email as Outlook leaves it: no quote signs, and no marks but its words. */
function ours(between: string, below = '') {
  return `## Reply above this line ##

Larkspur Court

Seen by the office: Garage gate stays open

Tomasz Zieliński wrote:

We looked at the gate.

Which side is it?${between}

Is the remote working?${below}

Where: Flat Q7X-4813
Due date: 20 Nov 2031
Reported: Wed 18 Nov, 10:55

Open INC-56: https://building.example/incidents/56

-- 
Reply to this email to comment. Comments are public. You’re getting this because you follow INC-56. All times are in United Kingdom Time.
Stop emails about this report: https://building.example/unsubscribe/abc
Stop all emails: https://building.example/unsubscribe/def
Larkspur Court, 21 Tidewell Street, London`
}

const outlook = `From: ${us}
Sent: Monday, 16 November 2026 10:00
To: Jo Doe
Subject: Seen by the office [INC-56]

`
