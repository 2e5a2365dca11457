import { describe, expect, it } from 'vitest'
import { type EmailParts, separateWords } from '../../../src/inbound/words/separateWords.js'
import { own } from '../../support/email/ownEmail.js'

const words = (parts: Partial<EmailParts>, sentences: readonly string[] = []) =>
  separateWords(
    { subject: '', text: '', html: '', attachedEmails: [], ...parts },
    {
      isAnswer: false,
      quoteMarks: own,
      storedTexts: sentences,
    },
  )

const gate = 'The gate in the garage is open all night.'

it('of an answer to one of ours are those that are not ours, above it and in it', async () => {
  const text = [
    'The other one is stuck as well.',
    'On Mon, 23 Nov, Caretaker wrote:',
    `> ${own.writeAbove[0]}`,
    '> Which floor is the lift on?',
    'The third.',
  ].join('\n')
  const { newWords, quotesOurs } = await words({ text }, ['Which floor is the lift on?'])
  expect([newWords, quotesOurs]).toEqual(['The other one is stuck as well.\n\nThe third.', true])
})

describe('the HTML of an email is read', () => {
  it.each([
    'Your email client does not support HTML messages',
    'View this email in your browser: https://mail.example/view',
    'To view this message, please use an HTML compatible email viewer!',
    'Ihr E-Mail-Programm unterstützt kein HTML.',
    'Diese E-Mail im Browser ansehen',
    'Su programa de correo no admite HTML',
    'Ver este correo en el navegador',
    'Votre messagerie n’affiche pas le HTML',
    'Il tuo programma non supporta HTML',
    '[cid:image001.png@01D]',
    '[image: logo.png]\n\nSent from my iPhone',
    'https://house.example/a/very/long/address',
    '',
  ])('where the plain part says no more than %j', async (text) => {
    const { newWords, whole } = await words({ text, html: `<p>${gate}</p>` })
    expect(newWords).toBe(gate)
    expect(whole).toContain(gate)
  })

  it('where it says five times as much, and the plain part where it does not', async () => {
    const html = `<p>${gate} ${gate}</p>`
    expect((await words({ text: 'See below.', html })).newWords).toBe(`${gate} ${gate}`)
    expect((await words({ text: 'The gate is open, see below.', html })).newWords).toBe(
      'The gate is open, see below.',
    )
  })

  it('without hidden words, and with those above an inner document', async () => {
    const html =
      '<p>My own words.</p><html><head><title>TITLE</title></head><body>' +
      '<div style="color:red;DISPLAY: none">HIDDEN</div><div style="display:none">HIDDEN</div><p hidden>HIDDEN</p>' +
      '<p>Forwarded words.</p></body></html>'
    const { newWords } = await words({ html })
    expect(newWords).toBe('My own words.\n\nForwarded words.')
  })

  it.each([
    ['Gmail', '<div>Words</div><span class="gmail_signature_prefix">-- </span><br><div>Ada</div>'],
    ['Thunderbird', '<div>Words</div><pre class="moz-signature">-- \nAda</pre>'],
    ['others', '<div>Words</div><div>-- <br></div><div>Ada</div>'],
    ['those that keep the blank', '<div>Words</div><div>--&nbsp;</div><div>Ada</div>'],
  ])('to the signature of %s', async (_program, html) => {
    expect((await words({ html })).newWords).toBe('Words')
  })

  it('and not to dashes without their blank', async () => {
    const html = '<div>Words</div><div>--<br></div><div>Ada</div>'
    expect((await words({ html })).newWords).toBe('Words\n--\n\nAda')
  })

  it('as paragraphs, cells and items, with quotations', async () => {
    const html =
      '<style>p{color:red}</style><h1>Lift</h1><p>It is <b>stuck</b> &amp; loud</p><script>x()</script>' +
      '<table><tr><td>North</td><td>Tower</td></tr></table><a href="https://t.example/?key=1">here</a><img alt="logo" src="x">'
    expect((await words({ html })).newWords).toBe('Lift\n\nIt is stuck & loud\n\nNorth\nTower\n\nhere')
    const answer =
      '<div>Works again.</div><div class="gmail_quote"><div>On Mon, Bob &lt;<a>b@x.example</a>&gt; wrote:<br></div><blockquote>old</blockquote></div>'
    expect((await words({ subject: 'Re: x', html: answer })).newWords).toBe('Works again.')
  })
})

describe('staff read', () => {
  it('all words of both parts, quotations and signature as well', async () => {
    const text = 'Fixed.\n\nOn 16 Nov 2026, A <a@b.example> wrote:\n> Old words.\n\n-- \nAda\n0171 5550123'
    const html = '<p>Fixed.</p><p>Only in the HTML.</p>'
    const { newWords, whole } = await words({ subject: 'Re: x', text, html })
    expect(newWords).toBe('Fixed.')
    for (const each of ['Fixed.', 'Old words.', 'a@b.example', '0171 5550123', 'Only in the HTML.'])
      expect(whole).toContain(each)
  })

  it('an attached email, whose words follow below its sender’s name', async () => {
    const attached = {
      from: 'Res Ident <res@x.example>',
      subject: 'Door',
      text: 'It does not lock.\n\nOn 16 Nov 2026, A <a@b.example> wrote:\n> Which door?\n',
      html: '',
      messageId: null,
    }
    const { newWords, whole } = await words({ text: 'Please see attached.', attachedEmails: [attached] })
    const kept = 'It does not lock.\n\nOn 16 Nov 2026, A <a@b.example> wrote:\n> Which door?'
    expect(newWords).toBe(`Please see attached.\n\nRes Ident\n\n${kept}`)
    expect(whole).toContain('Res Ident <res@x.example>\nDoor')
    const alone = await words({
      attachedEmails: [{ ...attached, text: '', html: '<p>It does not lock.</p>' }],
    })
    expect(alone.newWords).toBe('Res Ident\n\nIt does not lock.')
  })
})
