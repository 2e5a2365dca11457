/**
 * What is drawn at random, each replaced by its name. Times are not: the clock stands still. Ids
 * follow from the order in which things happen, which is always the same.
 */
const drawn: [RegExp, string][] = [
  [/(name="formToken" value=")[^"]*/g, '$1<form token>'],
  [/(name="writer" value=")[^"]*/g, '$1<writer>'],
  [
    /((?:\/|%2F)(?:fixed|follow|invitation|reset-password|sign-in(?:\/|%2F)link|sign-up|unsubscribe)(?:\/|%2F))[\w.-]{40,}/g,
    '$1<token>',
  ],
  [/("id": "|\/account\/sessions\/)[\da-f]{16}(?=["/])/g, '$1<session>'],
  [/(caretaker-write-above-)[\w-]{27}/g, '$1<message>'],
  [/(<code class="secret" dir="ltr">)[^<]*/g, '$1<secret>'],
  [/(<code[^>]*>)(?:[a-z\d]{5}-[a-z\d]{5})/g, '$1<recovery code>'],
  [/(<p class="qr">[\s\S]*?<path d=")[^"]*/g, '$1<picture of the secret>'],
  [/^\d{6}$/gm, '<code>'],
  [/(letter-spacing:0\.14em" dir="ltr">)\d{6}/g, '$1<code>'],
  [/••••[\w-]{4}/g, '••••<end of the secret>'],
  [/[\da-f]{2}\/[\da-f]{2}\/[\da-f]{32}/g, '<photo>'],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<uuid>'],
  [/\bCaretaker \d+\.\d+\.\d+(\+\w+)?/g, 'Caretaker <version>'],
]

/** A text without what another run would draw differently. */
export const steady = (text: string): string =>
  drawn.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), text)
