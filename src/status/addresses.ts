/** Where the status view is: its page, the part that the page polls, and its JSON. */
export const statusAddresses = { page: '/', live: '/live', json: '/api/status' } as const

/** The status for frames on other websites. */
export const embedAddress = '/embed'

/** The screen in the lobby. */
export const displayAddress = '/display'

type StatusAddress = (typeof statusAddresses)[keyof typeof statusAddresses]

/** What happened to an asset from one date (YYYY-MM-DD) to another, both included. */
export function daysAddress(assetId: number, from: string, to: string): string {
  return `/assets/${assetId}/days/${from}${to === from ? '' : `?to=${to}`}`
}

/** Whether a path is one of them. */
export function isStatusAddress(path: string | undefined): path is StatusAddress {
  return path === statusAddresses.json || path === statusAddresses.page || path === statusAddresses.live
}
