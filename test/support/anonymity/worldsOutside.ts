import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { config } from '../../../src/platform/process/config.js'
import { listenOnFreePort } from '../run/ports.js'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

type Push = (typeof config)['push']

/** What came over the network, as it came. `headers` are names and values in turn. */
export type Arrived = { path: string; headers: string[]; body: string }

/** A messaging service and a webhook receiver of one world, with all that reached them. */
export type Outside = {
  pushes: Arrived[]
  webhooks: Arrived[]
  webhookUrl: string
  /** What the push of a building needs to be told to send its pushes here. */
  push: Pick<Push, 'projectId' | 'clientEmail' | 'privateKey' | 'url' | 'tokenUrl'>
  /** The same for a process. */
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
  const { origin: url, stop } = await listenOnFreePort(server)
  const [projectId, clientEmail, tokenUrl] = ['building', 'sender@building.example', `${url}/token`]
  return {
    pushes,
    webhooks,
    webhookUrl: `${url}/webhook`,
    push: { projectId, clientEmail, privateKey, url, tokenUrl },
    env: {
      PUSH_ENABLED: 'true',
      FCM_PROJECT_ID: projectId,
      FCM_CLIENT_EMAIL: clientEmail,
      FCM_PRIVATE_KEY: privateKey.replaceAll('\n', '\\n'),
      FCM_URL: url,
      FCM_TOKEN_URL: tokenUrl,
    },
    stop,
  }
}
