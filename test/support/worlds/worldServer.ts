import { wake } from '../../../src/outbox.js'

/** The server as it is, which on SIGUSR2 looks at once for what is due: its own next look may be five seconds away. */
process.on('SIGUSR2', () => wake(new Set()))
await import('../../../src/server.js')
