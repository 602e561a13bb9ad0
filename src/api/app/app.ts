import { Hono } from 'hono'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ApiRoute, ApiRouteName } from '#contracts/routes/routes.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { answerAbsent, DESCRIPTION } from '../absent-call.ts'
import type { ApiBindings, ApiContext, ApiEnv, ApiHandler } from '../api-call.ts'
import type { CallerCall } from '../ask-control-plane.ts'
import { accountReadsArea } from '../areas/account-reads.ts'
import { authArea } from '../areas/auth.ts'
import { balanceArea } from '../areas/balance.ts'
import { collaboratorsArea } from '../areas/collaborators.ts'
import { fileAccessArea } from '../areas/file-access.ts'
import { messagesArea } from '../areas/messages.ts'
import { ordersArea } from '../areas/orders.ts'
import { privacyArea } from '../areas/privacy.ts'
import { prizesArea } from '../areas/prizes.ts'
import { secondFactorArea } from '../areas/second-factor.ts'
import { serverArea } from '../areas/server.ts'
import { staffArea } from '../areas/staff.ts'
import { statsArea } from '../areas/stats.ts'
import { statusArea } from '../areas/status.ts'
import { ticketAttachmentsArea } from '../areas/ticket-attachments.ts'
import { ticketsArea } from '../areas/tickets.ts'
import { userArea } from '../areas/user.ts'
import { baseHeaders, send } from '../answer.ts'
import { guardsOf } from '../guards.ts'
import { openApiDocument } from '../openapi.ts'
import { passOn } from '../pass-on.ts'
import type { PassedRoute } from '../pass-on.ts'
import { refuse } from '../refusal.ts'
import { seeingOnly } from '../seeing-as.ts'
import { serveRow } from '../serve-row.ts'
import type { AnyHandler } from '../serve-row.ts'

type Handlers = { readonly [Name in Exclude<ApiRouteName, PassedRoute>]: ApiHandler<Name> }

/** One handler for each row that does more than forward its call; the compiler refuses a row without one. */
const HANDLERS: Handlers = {
  ...accountReadsArea,
  ...authArea,
  ...secondFactorArea,
  ...fileAccessArea,
  ...userArea,
  ...privacyArea,
  ...ordersArea,
  ...balanceArea,
  ...serverArea,
  ...collaboratorsArea,
  ...messagesArea,
  ...statusArea,
  ...statsArea,
  ...prizesArea,
  ...staffArea,
  ...ticketAttachmentsArea,
  ...ticketsArea,
}

const isPassed = (row: ApiRoute): row is ApiRoute & { readonly call: CallerCall } => row.call !== undefined

// The table pairs each name with its handler; the compiler cannot follow that through a variable name.
const handlerOf = (name: string, row: ApiRoute): AnyHandler =>
  isPassed(row) ? passOn(row) : (HANDLERS[name as keyof Handlers] as unknown as AnyHandler)

/** A path with an id also matches addresses that another row spells out, so that row comes first. */
const writtenOutFirst = ([one]: [string, ApiRoute], [other]: [string, ApiRoute]): number =>
  Number(one.includes('{')) - Number(other.includes('{'))

// The server picks the sign-in queue by the path as written, so a different spelling of a path must not match a call.
const writtenPath = ({ url }: Request): string => {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

const description = (): ((c: ApiContext) => Response) => {
  let text: string | undefined
  return (c) => {
    text ??= JSON.stringify(openApiDocument(siteSettings().siteUrl))
    return send(c, { status: 200, headers: baseHeaders(c), body: text })
  }
}

/**
 * The site's own API: each row of the table behind its guards. It depends on the request and the server's facts about
 * it, not on the page framework.
 */
export const createApi = (): ((request: Request, bindings: ApiBindings) => Promise<Response>) => {
  const app = new Hono<ApiEnv>({ getPath: writtenPath })
  const rows = (Object.entries(API_ROUTES) as [string, ApiRoute][]).toSorted(writtenOutFirst)
  for (const [name, row] of [[DESCRIPTION, undefined] as const, ...rows]) {
    const [method = '', path = ''] = name.split(' ')
    const at = path.replaceAll(/\{(\w+)\}/g, ':$1')
    if (row === undefined) app.on(method, at, description())
    else app.on(method, [at], seeingOnly(name), ...guardsOf(method, row), serveRow(row, handlerOf(name, row)))
  }
  app.notFound(answerAbsent)
  app.onError((error, c) => refuse(c, error))
  return async (request, bindings) => app.fetch(request, bindings)
}
