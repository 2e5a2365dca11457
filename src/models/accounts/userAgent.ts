/** The browser and system a user agent names, as their makers call them; null for what we do not know. */
export type Device = { browser: string | null; system: string | null }

/** In this order: most browsers also name those they descend from. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bLynx\//, 'Lynx'],
  [/\bw3m\//, 'w3m'],
  [/\bcurl\//, 'curl'],
]

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Reads a User-Agent header, for people to recognise their own sessions by; a guess, and never a rule's business. */
export function deviceOf(userAgent: string): Device {
  const first = (words: [RegExp, string][]) => words.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
  return { browser: first(browsers), system: first(systems) }
}
