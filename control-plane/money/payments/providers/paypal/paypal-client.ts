import * as z from 'zod'
import { AppError } from '../../../../platform/app-error.ts'
import type { Context } from '../../../../platform/context.ts'
import { askProvider, type ProviderAnswer, type ProviderRequest } from '../../provider-http.ts'
import type { PaypalSettings } from '../../paypal-settings.ts'

/** A token is replaced before it expires, because the call that carries it takes time. */
const TOKEN_MARGIN_MS = 60_000

export type PaypalCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON as text: signed content must be passed on byte for byte. */
  readonly body?: string
  /** PayPal returns the first result for a repeated id, for six hours. */
  readonly requestId?: string
  /** Without permission for this call the result is missing, and nothing else fails. */
  readonly isOptional?: boolean
}

/** `refused`: PayPal understood the request and refuses it; `issue` is its reason code. */
export type PaypalAnswer =
  | { readonly kind: 'done'; readonly body: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly issue: string }

export type PaypalClient = { call(call: PaypalCall): Promise<PaypalAnswer> }

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const Refusal = z.object({ name: z.string().optional(), details: z.array(z.object({ issue: z.string() })).optional() })

type Held = { readonly value: string; readonly untilMs: number }

const failure = (what: string, retryable: boolean): AppError =>
  new AppError('PROVIDER_FAILURE', `PayPal: ${what}`, { retryable })

/** PayPal's API with a cached token. Errors contain only path and status, never the request. */
export function paypalClient(
  { clock }: Pick<Context, 'clock'>,
  settings: PaypalSettings,
  timeoutMs?: number,
): PaypalClient {
  let held: Held | undefined

  const ask = (path: string, request: Omit<ProviderRequest, 'url' | 'timeoutMs'>): Promise<ProviderAnswer> =>
    askProvider('PayPal', {
      ...request,
      url: `${settings.apiUrl}${path}`,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })

  const freshToken = async (): Promise<string> => {
    if (held && held.untilMs > clock.now()) return held.value
    const basic = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64')
    const { status, json } = await ask('/v1/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    if (status !== 200) throw failure(`token ${status}`, status === 429)
    const token = Token.safeParse(json)
    if (!token.success) throw failure('token is not readable', true)
    held = { value: token.data.access_token, untilMs: clock.now() + token.data.expires_in * 1_000 - TOKEN_MARGIN_MS }
    return held.value
  }

  const send = async ({ method, path, body, requestId }: PaypalCall): Promise<ProviderAnswer> =>
    ask(path, {
      method,
      headers: {
        authorization: `Bearer ${await freshToken()}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
        ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
      },
      ...(body === undefined ? {} : { body }),
    })

  return {
    call: async (call) => {
      const first = await send(call)
      if (first.status !== 401) return answerOf(call, first)
      // A token may be revoked before it expires.
      held = undefined
      return answerOf(call, await send(call))
    },
  }
}

function answerOf({ path, isOptional = false }: PaypalCall, { status, json }: ProviderAnswer): PaypalAnswer {
  if (status >= 200 && status < 300) return { kind: 'done', body: json }
  if (status === 404 || (status === 403 && isOptional)) return { kind: 'missing' }
  if (status === 422) {
    const refusal = Refusal.safeParse(json)
    const issue = refusal.success ? (refusal.data.details?.[0]?.issue ?? refusal.data.name) : undefined
    return { kind: 'refused', issue: issue ?? 'UNPROCESSABLE_ENTITY' }
  }
  throw failure(`${path.split('?')[0] ?? ''} ${status}`, status === 429 || status === 409)
}
