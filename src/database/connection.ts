import pg from 'pg'

type Listener = (chunk: Buffer) => void
type Wire = { attachListeners: (stream: NodeJS.ReadableStream & { destroy: (error: Error) => void }) => void }

/**
 * A connection that ends, like any that is lost, with bytes that are no message: the driver throws out of the socket's
 * event, which would end the process. Poolers send such bytes when a server goes away in the middle of an answer.
 */
export class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig | string) {
    super(config)
    const wire = (this as unknown as { connection: Wire }).connection
    const attach = wire.attachListeners.bind(wire)
    wire.attachListeners = (stream) => {
      attach(stream)
      for (const listener of stream.listeners('data') as Listener[]) {
        stream.off('data', listener)
        stream.on('data', (chunk: Buffer) => {
          try {
            listener.call(stream, chunk)
          } catch (cause) {
            stream.destroy(
              Object.assign(new Error('Connection terminated: no message', { cause }), { code: 'EPROTO' }),
            )
          }
        })
      }
    }
  }
}
