import { describe, expect, it } from 'vitest'
import { isForwarded, isReply, withoutPrefixes } from '../../src/vocabulary/email/subjectPrefixes.js'

const answers = [
  'Re: x',
  'RE[2]: x',
  'Re (3): x',
  'AW: x',
  'Antw: x',
  'Antwort: x',
  'R: ascensore',
  'RIF: x',
  'Rif: x',
  'ΑΠ: x',
  'Απ: x',
  'ΣΧΕΤ: x',
  'Vá: x',
  'SV: x',
  'VS: x',
  'Odp: x',
  'ODP: x',
  'YNT: x',
  'Ynt: x',
  'Ang: x',
  'Отв: x',
  'Ответ: x',
  'RES: x',
  'Réf : x',
  'RÉP : x',
  'RE : x',
  '回复：x',
  '回覆: x',
  '答复: x',
  '返信: x',
  'Re：x',
  '답장: x',
  'Răsp: x',
  'Відп: x',
  'השב: x',
  '[House] Re: x',
  ' re: x',
]
const forwards = [
  'Fwd: x',
  'FW: x',
  'Fw: x',
  'WG: x',
  'TR : x',
  'TR: x',
  'RV: x',
  'I: x',
  'Doorst: x',
  'ENC: x',
  'VB: x',
  'VL: x',
  'PD: x',
  'İLT: x',
  'Továbbítás: x',
  'ΠΡΘ: x',
  'Пересл: x',
  '转发: x',
  '轉寄：x',
  '転送: x',
  '[INC-5] Fwd: x',
  'FWD[2]: x',
]
const neither = [
  'x',
  '',
  'Recurring noise: lift',
  'Lift: stuck',
  'Reply needed: lift',
  'Reparatur: Aufzug',
  '10:30 the lift stopped',
  'Request for help',
  'Fwd',
  'Re',
  'Resident: noise',
  'Tor: offen',
  'Refuse: the bins are full',
  'Ring: the bell',
]

describe('a subject', () => {
  it.each(answers)('%j is that of an answer', (subject) => {
    expect([isReply(subject), isForwarded(subject)]).toEqual([true, false])
  })

  it.each(forwards)('%j is that of a forwarded email', (subject) => {
    expect([isReply(subject), isForwarded(subject)]).toEqual([false, true])
  })

  it.each(neither)('%j is neither', (subject) => {
    expect([isReply(subject), isForwarded(subject)]).toEqual([false, false])
  })
})

describe('a subject without what email programs put before it', () => {
  it.each([
    ['Lift', 'Lift'],
    ['Re: Lift', 'Lift'],
    ['AW: WG: Re[2]: Lift', 'Lift'],
    ['回复：Lift', 'Lift'],
    ['Resident: noise', 'Resident: noise'],
    ['Re: ', ''],
    ['[House] Re: Lift', '[House] Re: Lift'],
    ['Re:'.repeat(100_000), ''],
  ])('%j is %j', (subject, topic) => {
    expect(withoutPrefixes(subject)).toBe(topic)
  })
})
