type Given = Record<string, unknown>

/**
 * Lets each form of a page know by itself whether it was sent. `form(name, stored)` is what the page is given, for one
 * form of it: the form called `filled` has what was typed, its errors and its problem, any other only what is `stored`.
 * `fieldId` is a field's id: two forms of a page may ask for the same, so a named form puts its name before it.
 */
export function withForms(given: Given): Given {
  const { filled, values } = given
  const form = (name: string, stored: Given = {}): Given => ({
    ...given,
    ...(name === filled
      ? { values: { ...stored, ...(values as Given) } }
      : { values: stored, errors: {}, problem: null }),
    form,
    fieldId: idIn(name),
  })
  return { ...given, form, fieldId: idIn(filled) }
}

const idIn = (name: unknown) => (field: string) => (typeof name === 'string' ? `${name}-${field}` : field)
