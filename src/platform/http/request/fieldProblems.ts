import type { z } from 'zod'

/** The problems of fields that a schema has found, as keys of the catalogue. */
export function fieldProblems(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'form')
    fields[field] ??= []
    const key = /^[a-z]\w*$/.test(issue.message) ? issue.message : 'not_acceptable'
    if (!fields[field].includes(key)) fields[field].push(key)
  }
  return fields
}
