import { describe, expect, it } from 'vitest'
import { isForwarded, isReply, withoutPrefixes } from '../../src/vocabulary/email/subjectPrefixes.js'
import { tableOf } from '../support/tables.js'

describe('a subject', () => {
  it.each(tableOf<Subject>('subjects'))('$subject is of this kind: $kind', ({ subject, kind }) => {
    expect([isReply(subject), isForwarded(subject)]).toEqual([kind === 'answer', kind === 'forward'])
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

type Subject = { subject: string; kind: 'answer' | 'forward' | 'neither' }
