import { generateKeyPairSync } from 'node:crypto'

/*
 * Imported first, it switches pushes to phones on for a test file. A side effect, because the
 * configuration is read from the environment when the first module needs it.
 */

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

Object.assign(process.env, {
  PUSH_ENABLED: 'true',
  FCM_PROJECT_ID: 'building',
  FCM_CLIENT_EMAIL: 'sender@building.example',
  FCM_PRIVATE_KEY: privateKey,
})
