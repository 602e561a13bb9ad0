import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { ApiInput, ApiIsSignedIn, ApiOutput, ApiPath, ApiQuery, ApiRouteName } from '#contracts/routes/routes.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import type { RequestContext } from '../lib/requests/request-context.ts'

/** What the site's server knows of a request besides the request itself. Nobody outside can write it. */
export type ApiBindings = {
  readonly requestId: string
  /** The rightmost untrusted hop. */
  readonly address: string
  /** Where an answer goes at once. Without it the answer is a Response. */
  readonly outgoing?: ServerResponse
}

export type ApiEnv = {
  Bindings: ApiBindings
  /** `subject` is set by the guard of routes that ask for a session. */
  Variables: { subject: Subject | null }
}
export type ApiContext = Context<ApiEnv>

/** What a handler gets: everything is checked and parsed. */
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

/** A file of JSON that is written while it is sent; the table's schema does not see it. */
export type Download = { readonly fileName: string; readonly chunks: AsyncGenerator<string> }

export type ApiAnswer<Name extends ApiRouteName> = Extras &
  ({ readonly body: ApiOutput<Name> } | { readonly download: Download })

export type ApiHandler<Name extends ApiRouteName> = (call: ApiCall<Name>) => Promise<ApiAnswer<Name>>

/** The handlers of some rows of the table. */
export type ApiArea = { readonly [Name in ApiRouteName]?: ApiHandler<Name> }
