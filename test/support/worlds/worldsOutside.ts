import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** What came over the network, as it came. `headers` are names and values in turn. */
export type Arrived = { path: string; headers: string[]; body: string }

/** A messaging service and a webhook receiver of one world, with all that reached them. */
export type Outside = {
  pushes: Arrived[]
  webhooks: Arrived[]
  webhookUrl: string
  /** What a process needs to know to send its pushes here. */
  env: Record<string, string>
  stop: () => Promise<void>
}

/** Starts both behind one port of this machine; they take whatever comes. */
export async function startOutside(): Promise<Outside> {
  const pushes: Arrived[] = []
  const webhooks: Arrived[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { url: path = '', rawHeaders: headers } = request
    if (path === '/webhook') webhooks.push({ path, headers, body })
    else if (path !== '/token') pushes.push({ path, headers, body })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: 'taken', access_token: 'bearer', expires_in: 3600 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    pushes,
    webhooks,
    webhookUrl: `${url}/webhook`,
    env: {
      PUSH_ENABLED: 'true',
      FCM_PROJECT_ID: 'building',
      FCM_CLIENT_EMAIL: 'sender@building.example',
      FCM_PRIVATE_KEY: privateKey.replaceAll('\n', '\\n'),
      FCM_URL: url,
      FCM_TOKEN_URL: `${url}/token`,
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
