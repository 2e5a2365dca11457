import { describe, expect, it } from 'vitest'
import {
  isAnswerSubject,
  isAutomaticSubject,
  isCalendarSubject,
  isUndeliveredSubject,
} from '../../../src/inbound/kinds/subjects.js'

describe('the subject of an automatic reply', () => {
  it.each<[program: string, subjects: string[]]>([
    [
      'Exchange and Outlook',
      [
        'Automatic reply: [INC-54] Lift',
        'Automatic reply: Re: [INC-54] Lift',
        'Automatic reply:',
        'Automatische Antwort: [INC-54] Aufzug',
        'Réponse automatique : ascenseur',
        'Réponse automatique: ascenseur',
        'Respuesta automática: ascensor',
        'Risposta automatica: ascensore',
        'Resposta automática: elevador',
        'Automatisch antwoord: lift',
        'Automatisk svar: Nyhedsbrev',
        'Automatiskt svar: hiss',
        'Automaattinen vastaus: hissi',
        'Odpowiedź automatyczna: Winda',
        'Automatická odpověď: výtah',
        'Automatická odpoveď: výťah',
        'Automatikus válasz: lift',
        'Αυτόματη απάντηση: ασανσέρ',
        'ΑΥΤΟΜΑΤΗ ΑΠΑΝΤΗΣΗ: ΑΣΑΝΣΕΡ',
        'Otomatik yanıt: asansör',
        'OTOMATİK YANIT: ASANSÖR',
        'Автоматический ответ: лифт',
        'Автоматична відповідь: ліфт',
        'Автоответ: лифт',
        'Răspuns automat: lift',
        'Samodejni odgovor: dvigalo',
        'Automatski odgovor: dizalo',
        'Автоматичен отговор: асансьор',
        'Automaatvastus: lift',
        '自動応答: エレベーター',
        '自动答复: 回复: 电梯',
        '自动回复：电梯',
        '自動回覆: 電梯',
        '자동 회신: 엘리베이터',
      ],
    ],
    [
      'older Outlook',
      [
        'Out of Office AutoReply: Lift',
        'Out of Office: Lift',
        'Out of the Office: lift',
        'Abwesenheitsnotiz: Aufzug',
        'Absence du bureau : ascenseur',
        'Fuera de la oficina: ascensor',
        'Fuori sede: ascensore',
        'Fora do escritório: elevador',
        'Ikke til stede: elevator',
        'Házon kívül: lift',
        'Poza biurem: winda',
      ],
    ],
    [
      'Gmail, with a subject of its own',
      ['Out of office Re: [INC-54] Lift', 'Fuera de oficina Re: ascensor'],
    ],
    [
      'HCL Notes',
      [
        'AUTO: Katherine Smith is out of the office (returning 02/23/2009 10:12:17 AM)',
        'AUTO: Wen Hao Wang is out of the office (returning 2013/10/14)',
      ],
    ],
    ['sieve, where it answers us', ['Auto: Re: [INC-54] Lift', 'Auto: [INC-54] Lift']],
    [
      'others',
      [
        'Auto-Reply: I’m out of office.',
        'Auto Reply: Lift',
        'AutoReply',
        '[Auto-Reply] Re: Lift',
        '(Auto-Reply)',
        'Autoresponder: thank you',
        'Vacation reply',
        'away from my mail',
        'Yahoo! Auto Response',
        'Out of Office!',
        'Re: Out of office',
        'RE: AutoReply',
        'Fuera de la oficina',
        '自動返信',
        '[EXTERNAL] Automatic reply: Lift',
        '\u200bAuto\u00admatic reply: Lift',
        '[EXT] [INC-54] Automatic reply: Lift',
        '  Automatic\u00a0reply :  Lift',
        'Ａｕｔｏｍａｔｉｃ　ｒｅｐｌｙ：Lift',
        'Otomatik Yanıt: Yıllık İzin / Automatic Reply: Annual Leave',
      ],
    ],
  ])('is known as %s writes it', (_program, subjects) => {
    expect(wrong(subjects, isAutomaticSubject)).toEqual([])
  })

  it('is no resident’s, nor an answer to one', () => {
    expect(wrong(ofPeople, not(isAutomaticSubject))).toEqual([])
  })

  it('is read in bounded time', () => {
    for (const part of ['[', '[a] ', ': ', 're: ', 'auto: ', ' ', '/', 'ı', 'out of office '])
      expect(isAutomaticSubject(`${part.repeat(200_000)}x`)).toBe(false)
  })
})

describe('the subject of a delivery report', () => {
  it('is known alone and before a colon', () => {
    const reports = [
      'Undelivered Mail Returned to Sender',
      'Undeliverable: [INC-1] Lift',
      'Mail delivery failed: returning message to sender',
      'Delivery Status Notification (Failure)',
      'failure notice',
      'Returned mail: see transcript for details',
      'No se puede entregar: ascensor',
      'Unzustellbar: Aufzug',
    ]
    expect(wrong(reports, isUndeliveredSubject)).toEqual([])
    const people = [
      'Undelivered parcel in the lobby',
      'Mail delivery failed again in tower B',
      'Fwd: Undeliverable: Lift',
      'Failure notice at the lift',
    ]
    expect(wrong(people, not(isUndeliveredSubject))).toEqual([])
  })
})

describe('the subject of an answer to an invitation', () => {
  it('begins with what calendars write', () => {
    const answers = [
      'Accepted: Lift inspection @ Fri 4 Dec 2026',
      'Declined: Lift inspection',
      'Tentatively Accepted: Lift inspection',
      'New Time Proposed: Lift inspection',
      'Zugesagt: Aufzugsprüfung',
      'Mit Vorbehalt: Aufzugsprüfung',
      'Accepté : contrôle de l’ascenseur',
      'Aceptado: revisión del ascensor',
      'Принято: осмотр лифта',
      '承諾: エレベーター点検',
    ]
    expect(wrong(answers, isCalendarSubject)).toEqual([])
    const people = [
      'Accepted',
      'Invitation: Lift inspection',
      'Re: Accepted: Lift',
      'Canceled: Lift inspection',
    ]
    expect(wrong(people, not(isCalendarSubject))).toEqual([])
  })
})

describe('the subject of an answer', () => {
  it('has its word in front, or the number of a report', () => {
    const answers = [
      'Re: x',
      'AW: x',
      'R: ascensore',
      'RIF: x',
      'Odp: x',
      'Vá: x',
      'ΑΠ: x',
      'Re[2]: x',
      '回复：x',
      'x [INC-7]',
    ]
    expect(wrong(answers, isAnswerSubject)).toEqual([])
    expect(wrong(['Lift 2: door', 'Alarm', 'Reminder: x', 'INC-7'], not(isAnswerSubject))).toEqual([])
  })
})

function wrong(subjects: readonly string[], is: (subject: string) => boolean) {
  return subjects.filter((subject) => !is(subject))
}

function not(is: (subject: string) => boolean) {
  return (subject: string) => !is(subject)
}

/** What residents and contractors write, and what they answer or forward. */
const ofPeople = [
  '',
  'Lift stuck',
  'Automatic door is stuck',
  'Automatic door: it closes too fast',
  'Automatic doors reply to no card',
  'Automatische Tür defekt',
  'Automatische Tür: defekt',
  'Porte automatique : bloquée',
  'Puerta automática: no abre',
  'Respuesta',
  'Autoreifen im Keller',
  'Auto: blockiert die Einfahrt',
  'Auto blocks the garage: flat 7',
  'Auto: blocks the garage',
  'Out of order',
  'Out of order: lift 2',
  'Office light out',
  'Out of office hours: whom do I call?',
  'Out of office hours',
  'Outside the office',
  'Urlaub: bitte Blumen gießen',
  'Vacation: please hold my parcels',
  'Absence: key for flat 4',
  'Abwesenheit: Wohnung 12 vom 3. bis 10.',
  'Nieobecność: mieszkanie 4',
  'Re: Automatic reply: Lift inspection',
  'AW: Abwesenheitsnotiz: Aufzug',
  'Fwd: Automatic reply: Lift',
  'WG: Automatische Antwort: Aufzug',
  '回复: 自动回复: 电梯',
  'Re: [INC-54] Lift',
  'Why do I get "Automatic reply: Lift"?',
  'Intercom: automatic reply says nobody is there',
  '不在通知: 荷物',
]
