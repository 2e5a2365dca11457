/** What of smtp-server the tests use; it brings no types. */
declare module 'smtp-server' {
  import type { Readable } from 'node:stream'

  type Refusal = Error & { responseCode?: number }
  type Done = (error?: Refusal | null, message?: string) => void

  export type SMTPServerOptions = {
    authOptional?: boolean
    allowInsecureAuth?: boolean
    secure?: boolean
    key?: string
    cert?: string
    onAuth?: (given: { username?: string; password?: string }, session: unknown, done: Done) => void
    disabledCommands?: string[]
    logger?: boolean
    closeTimeout?: number
    onConnect?: (session: unknown, done: Done) => void
    onMailFrom?: (address: { address: string }, session: unknown, done: Done) => void
    onRcptTo?: (address: { address: string }, session: unknown, done: Done) => void
    onData?: (stream: Readable, session: { envelope: unknown }, done: Done) => void
  }

  export class SMTPServer {
    constructor(options: SMTPServerOptions)
    listen(port: number, host: string, callback: () => void): void
    close(callback: () => void): void
    on(event: 'error', listener: (error: Error) => void): void
    server: import('node:net').Server
  }
}
