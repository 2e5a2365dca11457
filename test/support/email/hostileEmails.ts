import { filled } from '../run/ticking.js'

const million = 1_000_000
/** As long as a text still is when it has been cleaned. */
const long = 50_000

/**
 * HTML that no email program writes: deep, wide, unclosed, full of entities,
 * or all of one character.
 */
export const hostileHtml: Record<string, string> = {
  ...Object.fromEntries(
    [
      '<div>',
      '<table><tr><td>',
      '<blockquote>',
      '<ol><li>',
      '<b>x',
      '<a href=x>',
      '<pre>',
      '<p a=b>',
      '</p>',
      '<br>',
      '<hr>',
      '<',
      '<!--',
      '<![CDATA[',
      '<script>',
      '<style>',
      '<svg><style>',
      '<?',
      '&',
      '&amp;',
      '&#x1F600;',
      '&notit;',
      '&#',
      '\u200b',
      '\n',
      ' ',
      'x',
      '\0',
      '\ud800',
      '"',
      "$'",
    ].map((part) => [`${JSON.stringify(part)} without end`, filled(part, million)]),
  ),
  'quotes within quotes': '<blockquote>'.repeat(95) + filled('<p>x</p>', million),
  'a list of everything': `<ol>${filled('<li>x', million)}`,
  'a table of everything': `<table>${filled('<tr><td>x', million)}`,
  'many attributes': `<p ${Array.from({ length: 120_000 }, (_, i) => `a${i}=b`).join(' ')}>x`,
  'an attribute without end': `<p ${filled("a='", million)}`,
}

/** Texts that nearly match what reply parsers look for, or what turns `$` into more text. */
export const hostileText: Record<string, string> = {
  ...Object.fromEntries(
    [
      'On ',
      'Am ',
      'El ',
      'Le ',
      'Il ',
      'Op x\n',
      'On x wrote:\n',
      'From: x\n',
      'Sent from my ',
      'schreef',
      '> ',
      '>\n',
      '>>>> x\n',
      '_',
      '-',
      '--\n',
      '*',
      '*** ',
      'a@b ',
      '<',
      '<a@b> ',
      '[x] ',
      'x: ',
      '年',
      ' ',
      '\t',
      '\n',
      '\n \n',
      'x',
      '\u200b',
      '\u200e',
      '\u0301',
      '\r',
      "$'",
      '$&',
      '2026-11-22 10:00 ',
    ].map((part) => [`${JSON.stringify(part)} without end`, filled(part, long)]),
  ),
  'a pyramid of quotes': Array.from({ length: 300 }, (_, i) => `${'>'.repeat(i)} x`).join('\n'),
  'lines that nearly quote': `Op x\n${'Op x\n'.repeat(3_000)}${'schreef'.repeat(4_000)}`,
  'replacements of itself': `On a b ${"$'".repeat(10_000)} wrote:\n${'x'.repeat(20_000)}`,
}
