import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutContactDetails } from '../../src/vocabulary/email/contactDetails.js'
import { isEverydayWord } from '../../src/vocabulary/email/everydayWords.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'
import { computed } from '../support/run/ticking.js'

const house = useHouse()
describe('the name of a sender in their own text', () => {
  // The sender's name, what they wrote, and what is left of it: - stands for what was taken out.
  it.each<[name: string, text: string, left: string]>([
    // A part that is an ordinary word stays in a sentence.
    ['Will May', 'It will be worse in May.', 'It will be worse in May.'],
    ['Rose Hope', 'I hope the rose garden is open.', 'I hope the rose garden is open.'],
    ['Mark Bill', 'There is a mark on the bill.', 'There is a mark on the bill.'],
    ['Grace Young', 'A young tree, by grace, stands.', 'A young tree, by grace, stands.'],
    ['Rosa Cruz', 'La luz de la cruz es rosa.', 'La luz de la cruz es rosa.'],
    ['Luz Pilar', 'Se fue la luz; el pilar está roto.', 'Se fue la luz; el pilar está roto.'],
    ['María del Mar Sol', 'El agua del mar y el sol.', 'El agua del mar y el sol.'],
    ['Ángel Peña', 'Un ángel sobre la peña.', 'Un ángel sobre la peña.'],
    ['Lift Monitor', 'The lift does not stop.', 'The lift does not stop.'],
    ['Administración del Edificio', 'El edificio no tiene agua.', 'El edificio no tiene agua.'],
    // The whole name goes anywhere, in each order, case and spelling.
    ['Will May', 'Says Will May.', 'Says -.'],
    ['Will May', 'Says WILL\nMAY, twice: will  may', 'Says -, twice: -'],
    ['Will May', 'May, Will is my name.', '- is my name.'],
    ['May, Will', 'I am Will May.', 'I am -.'],
    ['Will James May', 'Will May or Will James May or May Will James', '- or - or -'],
    ['Rosa de la Cruz', 'Soy Rosa de la Cruz, o Cruz Rosa.', 'Soy -, o -.'],
    ['Rose', 'Rose says the rose is red.', '- says the - is red.'],
    // A part on a line of its own is a signature.
    ['Will May', 'It will stop in May.\nWill', 'It will stop in May.\n-'],
    ['Will May', 'It stops.\n\n– may.\nFlat 3', 'It stops.\n\n– -.\nFlat 3'],
    ['Rosa Cruz', 'Es rosa.\n  Cruz,', 'Es rosa.\n  -,'],
    ['Ángel Peña', 'Está roto.\nAngel', 'Está roto.\n-'],
    // A part that is no ordinary word goes anywhere.
    ['Maya Okafor', 'maya’s door, says OKAFOR', '-’s door, says -'],
    ['John Smith', 'It is John. Ask Smith.', 'It is -. Ask -.'],
    ['Will Okafor', 'Okafor says it will come.', '- says it will come.'],
    ['José Núñez', 'Soy Jose, o NUNEZ, o Núñez.', 'Soy -, o -, o -.'],
    ['Jose Nunez', 'Soy José Núñez.', 'Soy -.'],
    ['José', 'Jose\u0301 está.', '- está.'],
    ['Michał Zieliński', 'Michal Zielinski or MICHAŁ.', '- or -.'],
    ['Ana-Maria García-López', 'Ana-Maria, Maria, López y Garcia', '-, -, - y -'],
    ["Sean O'Hara", 'Call O’Hara.', 'Call -.'],
    // A word that only begins or ends like the name is another word.
    ['Ann Bee', 'The annual beer, Anna, is bees’.', 'The annual beer, Anna, is bees’.'],
    ['Ana', 'Anà says anàs.', '- says anàs.'],
    // Nothing else of the text changes.
    ['Maya Okafor', 'Größe 3 – “zu” ﬁ ½ 電梯 🛗', 'Größe 3 – “zu” ﬁ ½ 電梯 🛗'],
  ])('%j: %j', (name, text, left) => {
    expect(withoutContactDetails(text, name, '-')).toBe(left)
  })

  it('is no ordinary word when it is mostly a name', () => {
    const names =
      'John Jack James Mary Maya Nora Smith Peter Anna José Juan Carlos Pérez García Tomasz Okafor Lind'
    expect(names.split(' ').filter(isEverydayWord)).toEqual([])
    const words = 'May Will Rose Mark Grace Hope Bill Cruz Rosa Luz Pilar Mar Sol Peña Ángel Lift Ascensor'
    expect(words.split(' ').filter((word) => !isEverydayWord(word))).toEqual([])
  })

  it('is found in time, whatever the name and the text are', () => {
    const part = fc.constantFrom('a', 'May', ' ', '\n', ', ', '-', "'", 'a\u0301', '(', '\\', '>', '.')
    fc.assert(
      fc.property(part, part, part, fc.nat(200), (one, other, third, times) => {
        const started = computed()
        withoutContactDetails((one + other).repeat(5_000), `${one}${third}`.repeat(times).slice(0, 100), '-')
        expect(computed() - started).toBeLessThan(1_000)
      }),
      { numRuns: perRun({ quick: 20, whole: 100 }) },
    )
  })

  it('leaves ordinary words in an answer on an anonymous report, for everyone alike', async () => {
    const id = await house.report({ reporter: 'resident', isAnonymous: true })
    const from = 'Will May <will@elsewhere.example>'
    const text = 'It will be worse in May.\nI am Will May.\nWill'
    await house.emails({ from, subject: `[INC-${id}]`, text })
    const { updates } = await house.json('guest', `/api/incidents/${id}`)
    expect(updates.at(-1).body).toBe('It will be worse in May.\nI am [removed].\n[removed]')
  })
})
