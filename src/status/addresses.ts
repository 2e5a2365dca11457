/** Where the status view is: its page, the part that the page polls, and its JSON. */
export const statusAddresses = { page: '/', live: '/live', json: '/api/status' } as const

type StatusAddress = (typeof statusAddresses)[keyof typeof statusAddresses]

/** Whether a path is one of them. */
export function isStatusAddress(path: string | undefined): path is StatusAddress {
  return path === statusAddresses.json || path === statusAddresses.page || path === statusAddresses.live
}
