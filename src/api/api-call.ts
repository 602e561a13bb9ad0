import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { ApiInput, ApiIsSignedIn, ApiOutput, ApiPath, ApiQuery, ApiRouteName } from '#contracts/routes/routes.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import type { RequestContext } from '../lib/requests/request-context.ts'

/** Facts about a request that the site's server determined. Clients cannot set them. */
export type ApiBindings = {
  readonly requestId: string
  /** The rightmost untrusted hop. */
  readonly address: string
  /** The response object to write to. Without it the app returns a Response. */
  readonly outgoing?: ServerResponse
}

export type ApiEnv = {
  Bindings: ApiBindings
  /** `subject` is set by the guard of routes that require a session. */
  Variables: { subject: Subject | null }
}
export type ApiContext = Context<ApiEnv>

/** The arguments of a handler, already checked and parsed. */
export type ApiCall<Name extends ApiRouteName> = RequestContext & {
  readonly headers: Headers
  readonly input: ApiInput<Name>
  readonly query: ApiQuery<Name>
  readonly path: ApiPath<Name>
  readonly subject: ApiIsSignedIn<Name> extends true ? Subject : null
  readonly idempotencyKey: string | undefined
}

type Extras = {
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A JSON file that is streamed; the table's schema does not check it. */
export type Download = { readonly fileName: string; readonly chunks: AsyncGenerator<string> }

export type ApiAnswer<Name extends ApiRouteName> = Extras &
  ({ readonly body: ApiOutput<Name> } | { readonly download: Download })

export type ApiHandler<Name extends ApiRouteName> = (call: ApiCall<Name>) => Promise<ApiAnswer<Name>>

/** The handlers of some rows of the table. */
export type ApiArea = { readonly [Name in ApiRouteName]?: ApiHandler<Name> }
