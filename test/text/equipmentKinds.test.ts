import { expect, it } from 'vitest'
import { kindInPlural } from '../../src/text/equipmentKinds.js'

it.each([
  ['Lift', 'Lifts'],
  ['Car park gate', 'Car park gates'],
  ['Ascensor', 'Ascensores'],
  ['Bomba', 'Bombas'],
  ['Lighting', 'Lighting'],
  ['Door entry', 'Door entry'],
  ['Bomba de agua', 'Bomba de agua'],
  ['升降机', '升降机'],
])('several of the kind %s are %s', (kind, several) => {
  expect(kindInPlural(kind)).toBe(several)
})
