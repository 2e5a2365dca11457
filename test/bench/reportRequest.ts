import { benchKey } from './world.js'

/** A report by the mobile key as a raw request; `path` for what it is compared with. */
export function reportRequest(path = '/api/incidents'): string {
  const json = JSON.stringify({
    title: 'The lift is stuck',
    assetId: 3,
    severity: 'high',
    description: 'Since this morning',
  })
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${benchKey}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
}
