/** Forms of a counted phrase; each language uses the ones it has. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Chooses the form of a counted phrase by the language's plural rules. */
export function plural(locale: string) {
  const rules = new Intl.PluralRules(locale)
  return (n: number, forms: Forms) => forms[rules.select(n)] ?? forms.other
}
