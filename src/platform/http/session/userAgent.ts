/** Browser and system of a User-Agent, by product name; null when unknown. */
type BrowserDevice = { browser: string | null; system: string | null }

/** The order matters: most browsers also name those they descend from. */
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

/** Reads a User-Agent, so that users recognise their sessions. A guess: never base a rule on it. */
export function deviceOf(userAgent: string): BrowserDevice {
  const first = (words: [RegExp, string][]) => words.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
  return { browser: first(browsers), system: first(systems) }
}
