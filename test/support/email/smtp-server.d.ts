/** What of smtp-server the tests use; it brings no types. */
declare module 'smtp-server' {
  import type { Readable } from 'node:stream'

  type Refusal = Error & { responseCode?: number }
  type Session = { secure: boolean; user: string; envelope: { rcptTo: { address: string }[] } }
  type SignedIn = (error: Refusal | null, response?: { user: string }) => void
  type Done = (error?: Refusal | null, message?: string) => void

  export type SMTPServerOptions = {
    authOptional?: boolean
    allowInsecureAuth?: boolean
    secure?: boolean
    disabledCommands?: string[]
    logger?: boolean
    closeTimeout?: number
    key?: string
    cert?: string
    onAuth?: (auth: { username?: string; password?: string }, session: unknown, done: SignedIn) => void
    onConnect?: (session: unknown, done: Done) => void
    onMailFrom?: (address: { address: string }, session: unknown, done: Done) => void
    onRcptTo?: (address: { address: string }, session: unknown, done: Done) => void
    onData?: (stream: Readable, session: Session, done: Done) => void
  }

  export class SMTPServer {
    constructor(options: SMTPServerOptions)
    listen(port: number, host: string, callback: () => void): void
    close(callback: () => void): void
    on(event: 'error', listener: (error: Error) => void): void
    server: import('node:net').Server
  }
}
