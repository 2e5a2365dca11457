import { describe, expect, it } from 'vitest'
import { publicWords } from '../../../src/inbound/words/publicWords.js'

const reading = { isProvenStaff: false, senderName: 'Will May', hasHiddenReporter: false, removed: '-' }

describe('in what everyone reads of an email', () => {
  it.each([
    ['Call +44 20 7946 0018 or (0171) 555-12.34.', 'Call - or -.'],
    ['M +1 555 010 0199, Tel. 0171 5550123', 'M -, Tel. -'],
    ['01 71 55 50 12, 612 345 678, 555-010-0199', '-, -, -'],
    ['Call me 5550123. Tel: 20123456', 'Call me -. Tel: -'],
    ['My number is 5550123', 'My number is -'],
    ['Mi teléfono es 55501234', 'Mi teléfono es -'],
    ['ada@home.example, <Ada.Novak+x@sub.home.example>', '-, <->'],
    ['On 16.11.2026 0171 5550123 rang', 'On 16.11.2026 - rang'],
    ['2026-11-16 10.30 +49 171 5550123', '2026-11-16 10.30 -'],
  ])('%j becomes %j', (words, left) => {
    expect(publicWords(words, reading)).toBe(left)
  })

  it.each([
    '2026-11-16, 16.11.2026, 16/11/26 10:30, 16. 11. 2026, 11-16-2026',
    'from 10.30 - 11.45, 8.15–9.45, on 16.11.26-18.11.26',
    'in 2024-2026 and 2025/2026',
    '1 500 000 €, € 1 250 000, $1.250.000, 12.500,00 EUR, USD 1250000',
    'INC-1234567, [INC-2147483647]',
    'Serial number 12345678, S/N: 987654321, meter 0012345678',
    'flats 1204-1206 and 1301/1302, floors 1 2 3 4 5 6 7 8',
    'The meter shows 123456.7 and 98765.43, which is 1234567 kWh',
    '20123456 is printed on the door',
    '30 degrees, 3.5 bar, 230 V, 12:30:45',
  ])('%j stays', (words) => {
    expect(publicWords(words, reading)).toBe(words)
  })

  it('the sender’s name goes where a report may be anonymous, whoever writes', () => {
    const words = 'Will May, 0171 5550123'
    expect(publicWords(words, reading)).toBe('Will May, -')
    expect(publicWords(words, { ...reading, isProvenStaff: true })).toBe(words)
    for (const isProvenStaff of [true, false])
      expect(publicWords(words, { ...reading, isProvenStaff, hasHiddenReporter: true })).toBe('-, -')
  })
})
