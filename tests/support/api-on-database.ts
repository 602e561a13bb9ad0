import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The origin of the site under test. */
export const API_SITE = 'https://bakter.test'

type Asked = { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: unknown }
type Reply = { readonly status: number; readonly body: unknown }

/** The site's API on this database, in the test's own process. `controlPlane` answers its internal calls. */
export const openApiOn = async (
  database: { readonly url: string; drop(): Promise<unknown> },
  controlPlane: (asked: Asked) => Reply,
) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown
      const reply = controlPlane({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    SITE_URL: API_SITE,
    INTERNAL_SECRET: 'internal secret of the tests',
    PAYLOAD_SECRET: 'payload secret of the tests',
    CONTROL_PLANE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  // After the environment: the site reads it once.
  const { createApi } = await import('../../src/api/app/app.ts')
  const { identity } = await import('../../src/identity/dependencies.ts')
  const context = identity()
  const close = async () => {
    await context.db.close()
    await database.drop()
    server.closeAllConnections()
    server.close()
  }
  return { api: createApi(), context, close }
}
