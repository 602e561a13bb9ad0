import { ApiError } from '../../lib/site/api-error.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { refuseForeign } from '../../lib/site/request-body.ts'

type Handler<Context> = (request: Request, context: Context) => Promise<Response>

/**
 * Adds the guard of our own API to a changing route of another one: a cookie alone does not prove which site sent the
 * request.
 */
export const guardChange =
  <Context>(handler: Handler<Context>, siteUrl: () => string = () => siteSettings().siteUrl): Handler<Context> =>
  async (request, context) => {
    try {
      refuseForeign(request.headers, siteUrl())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return Response.json({ errors: [{ message: 'This request came from another site.' }] }, { status: 403 })
    }
    return handler(request, context)
  }
