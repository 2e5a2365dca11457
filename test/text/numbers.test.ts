import { expect, it } from 'vitest'
import { limits } from '../../src/vocabulary/limits.js'
import { sourcesIn } from '../architecture/sources.js'

it('a sentence takes its number from the place that knows it', () => {
  const found = sourcesIn(['src/text/en', 'src/text/es']).flatMap(({ path, text }) =>
    amountsIn(text).map((said) => ({ path, said })),
  )
  const unknown = found.filter(({ said }) => !Object.hasOwn(allowed, said))
  expect(
    unknown.map(({ path, said }) => `${path}: ${said}`),
    'take the number from its constant, or add it to `allowed` in this file',
  ).toEqual([])
  const said = new Set(found.map((each) => each.said))
  expect(Object.keys(allowed).filter((each) => !said.has(each))).toEqual([])
})

it('a number that stands there as digits is the constant', () => {
  const wrong = Object.entries(allowed).filter(
    ([said, value]) => typeof value === 'number' && Number(said.replace(/[.,]|\D+$/g, '')) !== value,
  )
  expect(wrong).toEqual([])
})

const units = [
  '(?:more )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|MB|characters?|million|photos|rows|bounces)',
  '(?:segundos?|minutos?|horas?|días?|semanas?|mes|meses|caracteres|millones|fotos|filas|rebotes)',
]

/** An amount with a unit, which another place may know better. */
const amount = new RegExp(`\\b(?:\\d[\\d.,]*|an?|una?|two|three|five|ten) (?:${units.join('|')})\\b`, 'gi')

const grammar = 'the singular of a counted word, or no number at all'
const span = 'a period that the words name: the figure is of exactly it'

/**
 * Amounts that stand in the catalogue as digits or words, each with the constant that it must be
 * equal to, or the reason why no other place knows it.
 */
const allowed: Record<string, number | string> = {
  '1 day': grammar,
  '1 hour':
    'kept reports: as long as `guestReportMinutes`, checked by test/incidents/report; and counted words',
  '1 hora': 'the same as "1 hour"',
  '1 minute': grammar,
  '1 more minute': grammar,
  'a day': 'an invitation is sent once a day, as the button says',
  'un día': grammar,
  'a minute': 'a wait that has no number: nothing says when the other side is back',
  'un minuto': 'a wait that has no number: nothing says when the other side is back',
  'a second': grammar,
  'un segundo': grammar,
  'a week': 'unsent reports stay in the phone, whose script has the number',
  'una semana': 'unsent reports stay in the phone, whose script has the number',
  'an hour': 'the budgets of email are counted by the hour',
  'una hora': 'the budgets of email are counted by the hour',
  '2 mb': 'files to import, checked by test/building/imports.test.ts',
  '3 bounces': 'emails refused for good, `mostRefusals`',
  '3 rebotes': 'emails refused for good, `mostRefusals`',
  '5 seconds': 'the time for a webhook is part of its contract',
  '5 segundos': 'the time for a webhook is part of its contract',
  '10,000 rows': 'files to import, checked by test/building/imports.test.ts',
  '10.000 filas': 'files to import, checked by test/building/imports.test.ts',
  '12 characters': 'the least length of a password, checked by test/accounts/passwordRules.test.ts',
  '12 caracteres': 'the least length of a password, checked by test/accounts/passwordRules.test.ts',
  '12 months': span,
  '12 meses': span,
  '20 million': 'the largest amount of a cost, checked by test/incidents/acts/costs.test.ts',
  '20 millones': 'the largest amount of a cost, checked by test/incidents/acts/costs.test.ts',
  '24 hours': span,
  '24 horas': span,
  '28 days': 'the rule of monthly work (decision 3.4)',
  '28 días': 'the rule of monthly work (decision 3.4)',
  '30 days': limits.maintenanceHorizonDays,
  '30 días': limits.maintenanceHorizonDays,
  '30 seconds': 'the time of a code by its standard (RFC 6238)',
  '30 segundos': 'the time of a code by its standard (RFC 6238)',
  '50 characters': 'lengths of short fields, checked by test/every',
  '50 caracteres': 'lengths of short fields, checked by test/every',
  '7 days': 'the rule of weekly work (decision 3.4), and a period that the words name',
  '7 días': 'the rule of weekly work (decision 3.4), and a period that the words name',
  '90 days': limits.historyDays,
  '90 días': limits.historyDays,
  '100 characters': 'lengths of short fields, checked by test/every',
  '100 caracteres': 'lengths of short fields, checked by test/every',
  '200 characters': limits.title,
  '200 caracteres': limits.title,
  '365 days': limits.rollupDays,
  '365 días': limits.rollupDays,
  '500 characters': 'lengths of addresses and secrets, checked by test/every',
  '500 caracteres': 'lengths of addresses and secrets, checked by test/every',
  '2,000 characters': 'lengths of notes and addresses, checked by test/every',
  '2.000 caracteres': 'lengths of notes and addresses, checked by test/every',
  '2,048 characters': 'the length of a push address, checked by test/every',
  '2.048 caracteres': 'the length of a push address, checked by test/every',
}

/** Amounts in the sentences of the catalogue; what is put in from a constant is none. */
function amountsIn(text: string): string[] {
  const sentences = text
    .split('\n')
    .filter((line) => !/^\s*(\*|\/\*|\/\/|import)/.test(line))
    .join('\n')
    .replaceAll(/\$\{[^}]*\}/g, '·')
  return [...sentences.matchAll(amount)].map(([found]) => found.toLowerCase())
}
