import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCarriedSuggestion, readSuggestion } from '../../src/triage/suggestTriage.js'
import { perRun } from '../support/run/extent.js'

/** A confidence as a model may state it: none, a number around the limit, or something else. */
const stated = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.constantFrom(0, 0.69, 0.6999999, 0.7, 0.71, 1, 1.01, 70, 95, -1),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<unknown>('0.9', 'high', '', true, [0.9], { value: 0.9 }),
)

describe('a match of the AI service', () => {
  it('passes with a stated confidence from 0.7 to 1 and with no other, and never takes the words along', () => {
    fc.assert(
      fc.property(stated, stated, stated, (assetConfidence, duplicateConfidence, confidence) => {
        expect(readMatch({ assetConfidence, duplicateConfidence, confidence })).toEqual({
          ...(isEnough(assetConfidence ?? confidence) ? { assetId: 7 } : {}),
          ...(isEnough(duplicateConfidence ?? confidence) ? { isDuplicateOf: 70 } : {}),
          ...words,
        })
      }),
      { numRuns: perRun({ quick: 100, whole: 500 }) },
    )
  })

  it('is left out of an answer that states no confidence at all', () => {
    expect(readMatch({})).toEqual(words)
    expect(readMatch({ confidence: 0.7 })).toEqual({ ...words, assetId: 7, isDuplicateOf: 70 })
  })

  it('needs none again when a form brings it back, only to exist', () => {
    expect(readCarriedSuggestion(JSON.stringify(found), context)).toEqual(found)
    expect(
      readCarriedSuggestion(JSON.stringify({ ...found, assetId: 8, isDuplicateOf: 7 }), context),
    ).toEqual(words)
  })
})

const context = { assets: [{ id: 7, name: 'Lift' }], incidents: [{ id: 70, title: 'Stuck' }] }

const found = { assetId: 7, isDuplicateOf: 70, severity: 'high', rationale: 'It is the same.' }

/** What is read of an answer with these confidences. */
const readMatch = (confidences: object) =>
  readSuggestion(JSON.stringify({ ...found, ...confidences }), context)

const words = { severity: 'high', rationale: 'It is the same.' }

const isEnough = (value: unknown) => typeof value === 'number' && value >= 0.7 && value <= 1
