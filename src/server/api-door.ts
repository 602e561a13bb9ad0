import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { ApiBindings } from '../api/api-call.ts'
import { SERVER_HEADERS } from '../lib/requests/request-context.ts'

type Api = (request: Request, bindings: ApiBindings) => Promise<Response>
type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Whether the site's own API handles this path. Payload's REST is below it but handled by the page framework. */
export const isApiPath = (path: string): boolean =>
  (path === '/api' || path.startsWith('/api/')) && path !== '/api/cms' && !path.startsWith('/api/cms/')

// The server has overwritten any client headers of these two names.
const own = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? 'unknown')

/** Passes requests of Node's server to the API. The process's globals stay unchanged, because pages use them too. */
export const openApiDoor = (api: Api): Listener =>
  getRequestListener(
    (request, { incoming, outgoing }) =>
      api(request, {
        requestId: own(incoming as IncomingMessage, SERVER_HEADERS.requestId),
        address: own(incoming as IncomingMessage, SERVER_HEADERS.address),
        outgoing: outgoing as ServerResponse,
      }),
    { overrideGlobalObjects: false },
  )
