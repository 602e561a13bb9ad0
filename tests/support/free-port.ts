import { createServer } from 'node:net'

/** A TCP port of 127.0.0.1 that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  if (port === undefined) throw new Error('No free port.')
  return port
}

/** `count` different free ports; all are held until the last is found, so none repeats. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((done, fail) => {
        server.once('error', fail)
        server.listen(0, '127.0.0.1', done)
      })
      return server
    }),
  )
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('A TCP server without a port.')
      await new Promise<void>((done) => server.close(() => done()))
      return address.port
    }),
  )
}
