import type { Text } from '../text/index.js'

/** Pages whose forms are sent to addresses below them: of a report, and of links in emails. */
const pagesWithForms = /^\/(?:incidents\/\d+|(?:fixed|follow|unsubscribe)\/[\w-]+)(?=\/|$)/

/** The page that a form sent to this path is on; null when the path is below none of them. */
export const pageWithForm = (path: string) => pagesWithForms.exec(path)?.[0] ?? null

/** The lists where a thing may be that is not at its address. */
export function listsToSearch({ problemPage: { next } }: Text, { isOffice }: { isOffice: boolean }) {
  const everyones = [
    { href: '/incidents', label: next.reports },
    { href: '/report', label: next.report },
  ]
  return isOffice ? [{ href: '/admin', label: next.desk }, ...everyones] : everyones
}

/** What the link is called to what a form stored the first time it was sent. */
export function storedBefore({ sentBefore }: Text, href: string): string {
  const [, incident] = /^\/incidents\/(\d+)$/.exec(href) ?? []
  return incident ? sentBefore.openIncident(incident) : sentBefore.open
}

/** The report that goes on, where a refusal is of a duplicate (decision 6.7); null elsewhere. */
export function refusalLeadsTo({ mergedInto }: Readonly<Record<string, unknown>>): string | null {
  return mergedInto === undefined ? null : `/incidents/${mergedInto}`
}
