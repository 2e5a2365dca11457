import type { Query } from '../../../src/platform/db/database.js'
import { liveAssets } from '../../../src/status/queries/liveStatus.js'

/** What web processes say of the assets now, each by its own kept answer. */
export type Shown = { origin: string; assets: { id: number; status: string }[] }

export async function shownAt(origin: string, headers: Record<string, string>): Promise<Shown> {
  const answer = await fetch(`${origin}/api/status`, { headers: { accept: 'application/json', ...headers } })
  return { origin, assets: ((await answer.json()) as { assets: Shown['assets'] }).assets }
}

/**
 * Where the kept status of a process, or the announced one, is not what its rows come to when
 * computed again.
 */
export async function statusFaults(query: Query, statusPages: readonly Shown[]): Promise<string[]> {
  const live = await liveAssets(query)
  return live.flatMap(({ id, status, announced }) => [
    ...statusPages.flatMap(({ origin, assets }) => {
      const statusOnPage = assets.find((asset) => asset.id === id)?.status
      return statusOnPage === status
        ? []
        : [`${origin} shows asset ${id} ${statusOnPage}, its rows say ${status}`]
    }),
    ...(announced === status ? [] : [`asset ${id} was announced ${announced}, its rows say ${status}`]),
  ])
}
