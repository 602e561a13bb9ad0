type Handler<Context> = (request: Request, context: Context) => Promise<Response>

const OVERRIDES = ['x-payload-http-method-override', 'x-http-method-override']

/**
 * Refuses a POST with method override and a JSON query. The admin sends such a query as a form; Payload parses this one
 * without catching errors, and bypasses the checks of a query in the address.
 */
export const refuseJsonQuery =
  <Context>(handler: Handler<Context>): Handler<Context> =>
  async (request, context) => {
    const isOverridden = OVERRIDES.some((name) => request.headers.has(name))
    if (isOverridden && /json/i.test(request.headers.get('content-type') ?? ''))
      return Response.json({ errors: [{ message: 'The query could not be understood.' }] }, { status: 400 })
    return handler(request, context)
  }
