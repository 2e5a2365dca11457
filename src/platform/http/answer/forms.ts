type Given = Record<string, unknown>

/**
 * Lets forms share a page: `form(name, stored)` gives the form called `filled` what was typed and its errors,
 * others `stored`. `fieldId` puts the form's name before field ids, so that they are unique in the page.
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
