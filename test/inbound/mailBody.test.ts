import { describe, expect, it } from 'vitest'
import { newWords, textOfHtml, withoutSignature } from '../../src/inbound/parse/emailText.js'

describe('the new words of a mail', () => {
  it.each([
    ['On Mon, 16 Nov 2026 at 10:00, Our building <x@house.example> wrote:\n> old\n> older'],
    ['Am Mo., 16. Nov. 2026 um 10:00 Uhr schrieb Haus <x@house.example>:\n\n> alt'],
    ['El lun, 16 nov 2026 a las 10:00, Casa (<x@house.example>) escribió:\n\n> viejo'],
    ['Le lun. 16 nov. 2026 à 10:00, Maison <x@house.example> a écrit :\n\n> vieux'],
    ['________________________________\nFrom: Our building <x@house.example>\nSent: Monday\nTo: Ada\n\nold'],
    ['From: Our building\nSent: Monday, 16 November 2026\nTo: Ada\nSubject: x\n\nold'],
    ['-----Original Message-----\nFrom: x\n\nold'],
    ['Sent from my iPhone\n\n> On 16 Nov 2026, at 10:00, Our building <x@house.example> wrote:\n> old'],
    ['-- \nAda Novak\n+49 170 1'],
  ])('stand above %j', async (below) => {
    expect(await newWords(`It works again.\nThank you!\n\n${below}\n`)).toBe('It works again.\nThank you!')
  })

  it('may stand between the old ones, and cost any amount of $', async () => {
    expect(await newWords('> Is it fixed?\nNo.\n> Since when?\nIt costs $5, $& and $1.\n')).toBe(
      'No.\nIt costs $5, $& and $1.',
    )
  })

  it('are none in a mail of quotes', async () => {
    expect(await newWords('On Mon, Bob <b@x.example> wrote:\n> everything\n')).toBe('')
    expect(await newWords('')).toBe('')
  })

  it.each([
    ['lines that nearly quote', `Op x\n${'Op x\n'.repeat(3_000)}${'schreef'.repeat(4_000)}`],
    ['words that nearly quote', 'On '.repeat(16_000)],
    ['empty lines', `x${'\n \n'.repeat(15_000)}x`],
    ['replacements of itself', `On a b ${"$'".repeat(10_000)} wrote:\n${'x'.repeat(20_000)}`],
  ])('are found in time among %s', async (_what, hostile) => {
    expect(await newWords(`Words\n\n${hostile}\n> quoted`)).toMatch(/^Words/)
    expect(await newWords(`Words\n\n${hostile}\n> quoted`)).not.toContain('quoted')
  })
})

describe('an HTML mail', () => {
  it('becomes its words', async () => {
    const html =
      '<style>p{color:red}</style><h1>Lift</h1><p>It is <b>stuck</b> &amp; loud</p><script>x()</script>' +
      '<table><tr><td>North</td><td>Tower</td></tr></table><a href="https://t.example/?key=1">here</a><img alt="logo" src="x">'
    expect(await textOfHtml(html)).toBe('Lift\n\nIt is stuck & loud\n\nNorth\nTower\n\nhere')
  })

  it('shows what it quotes as quotes', async () => {
    const html =
      '<div>Works again.</div><div class="gmail_quote"><div>On Mon, Bob &lt;<a>b@x.example</a>&gt; wrote:<br></div><blockquote>old</blockquote></div>'
    expect(await newWords(await textOfHtml(html))).toBe('Works again.')
  })
})

it('a signature ends a text where mail programs put their line', () => {
  expect(withoutSignature('Words\n-- \nAda')).toBe('Words')
  expect(withoutSignature('-- \nAda')).toBe('')
  expect(withoutSignature('a -- b\n--\nc')).toBe('a -- b\n--\nc')
})
