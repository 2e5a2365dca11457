import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emailHeaders } from '../../src/inbound/parse/headers.js'
import { senderProof } from '../../src/inbound/parse/senderProof.js'
import { perRun } from '../support/run/extent.js'
import { computed } from '../support/run/ticking.js'

const pass = 'mx.house.example; dmarc=pass header.from=example.com'
const fail = 'mx.house.example; dmarc=fail header.from=example.com'

describe('the verdict on a sender', () => {
  it.each([
    [pass],
    ['mx.house.example 1; dmarc=pass header.from=example.com'],
    ['MX.House.Example;dmarc=Pass Header.From=EXAMPLE.COM;'],
    [
      'mx.house.example; spf=fail smtp.mailfrom=x.example; dmarc=pass (p=REJECT sp=NONE dis=NONE) header.from=example.com',
    ],
    ['mx.house.example; dkim=pass header.d=example.com header.b="a;b=c"; dmarc=pass header.from=example.com'],
    ['(a comment; dmarc=fail) mx.house.example (so (it) is); dmarc = pass ( x ) header.from = "example.com"'],
    ['mx.house.example;\r\n\tdmarc=pass\r\n\theader.from=example.com'],
    ['"mx.house.example"; dmarc/1=pass reason="policy \\"ok\\"" header.from=example.com'],
    ['mx.house.example; dmarc=pass header.from=manager@example.com'],
  ])('is a pass in %j', (given) => {
    expect(verdict(given)).toBe('pass')
  })

  it.each([
    [fail],
    [[pass, fail]],
    [[fail, pass]],
    ['mx.house.example; dmarc=pass header.from=example.com; dmarc=FAIL header.from=example.com'],
    [[pass, 'mx.house.example; dmarc=fail']],
  ])('is a fail in %j', (given) => {
    expect(verdict(given)).toBe('fail')
  })

  it.each([
    [undefined],
    [''],
    [';;;'],
    ['mx.house.example'],
    ['mx.house.example; none'],
    ['mx.house.example; dmarc=none header.from=example.com'],
    ['mx.house.example; dmarc=bestguesspass header.from=example.com'],
    ['mx.house.example; dmarc=temperror header.from=example.com'],
    ['mx.house.example; dmarc=pass'],
    ['mx.house.example; dmarc=pass header.from=evil.example'],
    ['mx.house.example; dmarc=pass header.from=notexample.com'],
    ['mx.house.example; dmarc=pass header.from=com'],
    ['mx.house.example; dmarc=pass header.from=sub.example.com'],
    ['mx.house.example; dkim=pass header.d=example.com; spf=pass smtp.mailfrom=example.com'],
    ['mx.evil.example; dmarc=pass header.from=example.com'],
    ['mx.house.example.evil.example; dmarc=pass header.from=example.com'],
    ['evil.mx.house.example; dmarc=pass header.from=example.com'],
    ['x (mx.house.example); dmarc=pass header.from=example.com'],
    ['mx.house.example; spf=none smtp.mailfrom="dmarc=pass header.from=example.com"'],
    ['mx.house.example; spf=none smtp.mailfrom="x; dmarc=pass header.from=example.com"'],
    ['mx.house.example; spf=none (; dmarc=pass header.from=example.com)'],
    ['mx.house.example; spf=none "; dmarc=pass header.from=example.com'],
    ['mx.house.example; xdmarc=pass header.from=example.com'],
    [['mx.house.example; dmarc=none header.from=example.com', pass]],
    [['mx.house.example; spf=pass', pass]],
    ['mx.other.example; dmarc=fail header.from=example.com'],
  ])('is none in %j', (given) => {
    expect(verdict(given)).toBe('none')
  })

  it('is looked for in the topmost header of ours, below those of others', () => {
    expect(verdict(['mx.evil.example; dmarc=fail', pass])).toBe('pass')
    expect(verdict([pass, 'mx.evil.example; dmarc=fail'])).toBe('pass')
  })

  it('is about the domain of the very mailbox, not of one below it', () => {
    expect(verdict(pass, 'mx.house.example', 'x@mail.example.com')).toBe('none')
  })

  it('knows a domain in either of its forms', () => {
    const given = 'mx; dmarc=pass header.from=xn--bcher-kva.example'
    expect(verdict(given, 'mx', 'x@bücher.example')).toBe('pass')
  })

  it('is never a pass while nobody is believed, but a fail harms nobody', () => {
    expect(verdict(pass, null)).toBe('none')
    expect(verdict([pass, 'anybody; dmarc=fail'], null)).toBe('fail')
    expect(verdict(pass, 'mx.house.example', null)).toBe('none')
  })

  it('is read in time, whatever is in the header', () => {
    const hostile = fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom('(', '"', '\\', ';', '=', 'a '))
    fc.assert(
      fc.property(hostile, fc.nat(20_000), (part, times) => {
        const started = computed()
        expect(['pass', 'fail', 'none']).toContain(verdict(`mx.house.example; ${part.repeat(times)}`))
        expect(computed() - started).toBeLessThan(1_000)
      }),
      { numRuns: perRun({ quick: 12, whole: 60 }) },
    )
  })
})

function verdict(
  given: string | string[] | undefined,
  authserv: string | null = 'mx.house.example',
  address: string | null = 'manager@example.com',
) {
  return senderProof(
    given === undefined ? null : emailHeaders({ 'Authentication-Results': given }),
    authserv,
    address,
  )
}
