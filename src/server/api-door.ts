import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { ApiBindings } from '../api/api-call.ts'
import { SERVER_HEADERS } from '../lib/requests/request-context.ts'

type Api = (request: Request, bindings: ApiBindings) => Promise<Response>
type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Whether the site's own API answers at this path. Payload's REST lies below it and is answered by the pages' framework. */
export const isApiPath = (path: string): boolean =>
  (path === '/api' || path.startsWith('/api/')) && path !== '/api/cms' && !path.startsWith('/api/cms/')

// The server has written these two over whatever a client sent under their names.
const own = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? 'unknown')

/** Hands requests of Node's server to the API. The globals of the process stay as they are: the pages use them too. */
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
