import type { Page } from 'playwright-core'

/** A report as the service worker keeps it. */
export type KeptReport = { key: string; title?: string; state?: string; [name: string]: unknown }

const inStore = (mode: string, act: string) =>
  `new Promise((resolve, reject) => {
    const opening = indexedDB.open('reports')
    opening.onupgradeneeded = () => opening.result.createObjectStore('waiting', { keyPath: 'key' })
    opening.onsuccess = () => {
      const asked = opening.result.transaction('waiting', '${mode}').objectStore('waiting').${act}
      asked.onsuccess = () => { opening.result.close(); resolve(asked.result) }
      asked.onerror = reject
    }
  })`

/** What the browser keeps of what is not sent, without files, by key. */
export async function keptReports(page: Page): Promise<KeptReport[]> {
  return (await page.evaluate<KeptReport[]>(inStore('readonly', 'getAll()')))
    .filter(({ state }) => state !== 'sent')
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Puts a report there, as a worker of another age might have. */
export function putReport(page: Page, row: KeptReport): Promise<unknown> {
  return page.evaluate(inStore('readwrite', `put(${JSON.stringify(row)})`))
}
