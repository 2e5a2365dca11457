import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Person, withoutNames } from '../../../src/domain/mail/nameRemoval.js'
import { computed } from '../../support/suite/ticking.js'

const person = (name: string, email = 'x@y.example', alsoSingle = true): Person => ({
  name,
  email,
  alsoSingle,
})
const removed = (text: string, ...people: Person[]) => withoutNames(text, people, '[-]')

const maya = person('Maya Okafor', 'resident@example.com')

describe('a name', () => {
  it.each([
    ['Thank you, Maya Okafor.', 'Thank you, [-].'],
    ['MAYA OKAFOR said', '[-] said'],
    ['maya okafor said', '[-] said'],
    ['Okafor, Maya: no', '[-]: no'],
    ['By: Maya\n> Okafor (other residents)', 'By: [-] (other residents)'],
    ['Maya\u00a0\u200bOkafor', '[-]'],
    ['M\u200bay\u00ada Okafor', '[-]'],
    ['Máyà Ôkafor', '[-]'],
    ['Ｍａｙａ Okafor', '[-]'],
    ['Maya J. Okafor’s lift', '[-] lift'],
    ["Okafor's lift, Mayas Tür, the Okafors", '[-] lift, [-] Tür, the [-]'],
    ['Mrs Okafor and Maya', 'Mrs [-] and [-]'],
    ['mrs okafor', 'mrs [-]'],
    ['MayaOkafor, okaformaya, maya_okafor, maya-okafor', '[-]'],
    ['Maya Okafor <resident@example.com> wrote:', '[-] <[-]> wrote:'],
    ['to RESIDENT+lift@Example.COM.', 'to [-].'],
    ['Maya Okafor, Maya Okafor and Maya', '[-] and [-]'],
  ])('in %j is taken out', (text, without) => {
    expect(removed(text, maya)).toBe(without)
  })

  it.each([
    ['A resident said so. Residents know.', maya],
    ['residential@example.com or other@example.com', maya],
    ['I may be late, may I?', person('May Day')],
    ['la casa de la tía, y de los perros', person('María de la Cruz')],
    ['Bob lives on libido', person('Bo Li')],
    ['The long door', person('Tim Long')],
    ['Tomasz will come', person('Tomasz Zieliński', 'manager@example.com', false)],
    ['manager, board, admin', person('Tomasz Zieliński', 'manager@example.com', false)],
  ])('is not seen in %j', (text, somebody) => {
    expect(removed(text, somebody)).toBe(text)
  })

  it.each([
    ['Bo Li or bo li', person('Bo Li'), '[-] or [-]'],
    ['Siobhan OBrien, O’Brien, Siobhán', person("Siobhán O'Brien"), '[-]'],
    ['Zielinski Tomasz', person('Tomasz Zieliński', 'm@x.example', false), '[-]'],
    ['Łukasz Strøm, Lukasz Strom', person('Łukasz Strøm'), '[-]'],
    ['Maria Cruz; Cruz, María de la', person('María de la Cruz'), '[-]; [-] de la'],
    ['李明说电梯坏了', person('李明'), '[-]说电梯坏了'],
    ['김 민수가', person('김민수'), '[-]가'],
    ['Оксана Гриценко, ГРИЦЕНКО', person('Оксана Гриценко'), '[-]'],
    ['write to robin77 or robin.77', person('R. Smith', 'robin77@x.example'), 'write to [-] or robin.77'],
    ['ask mokafor', person('Maya Okafor', 'mokafor@x.example'), 'ask [-]'],
    ['Das Anita, Anita Das', person('Anita Das'), '[-]'],
    ['das war Anita', person('Anita Das'), 'das war [-]'],
    ['Sade sings', person('Sade'), '[-] sings'],
  ])('in %j is taken out by its own rules', (text, somebody, without) => {
    expect(removed(text, somebody)).toBe(without)
  })

  it('leaves the words around it, and what has none', () => {
    expect(removed('The engineer comes on Monday.\nPlease keep the door shut.', maya)).toBe(
      'The engineer comes on Monday.\nPlease keep the door shut.',
    )
    expect(removed('', maya)).toBe('')
  })

  it('of anybody is never left whole, wherever it stands', () => {
    const part = fc.stringMatching(/^[A-Z][a-zà-ö]{2,9}$/)
    const sign = fc.constantFrom(' ', '  ', '\n', '\n> ', ', ', '-', '_', '.', '\u00a0')
    const words = fc.stringMatching(/^[^\p{L}\p{N}]{0,4}$/u)
    fc.assert(
      fc.property(
        part,
        part,
        sign,
        words,
        words,
        fc.boolean(),
        (first, last, between, before, after, turned) => {
          fc.pre(first !== last)
          const [a, b] = turned ? [last, first] : [first, last]
          const found = removed(`77 ${before}${a}${between}${b}${after} 88`, person(`${first} ${last}`))
          expect(found.toLowerCase()).not.toContain(first.toLowerCase())
          expect(found.toLowerCase()).not.toContain(last.toLowerCase())
          expect(found.startsWith('77 ') && found.endsWith(' 88')).toBe(true)
        },
      ),
    )
  })

  it('of ten thousand people is looked for in time', () => {
    const people = Array.from({ length: 10_000 }, (_, i) => person(`Name${i} Family${i}`, `p${i}@x.example`))
    const text = 'Name17 Family18 said the Lift is at p55@x.example. '.repeat(200).slice(0, 10_000)
    const before = computed()
    expect(removed(text, ...people)).not.toMatch(/Name17|p55@/)
    expect(computed() - before).toBeLessThan(2_000)
  })
})
