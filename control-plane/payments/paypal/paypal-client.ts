import * as z from 'zod'
import { AppError } from '../../platform/app-error.ts'
import type { Context } from '../../platform/context.ts'
import type { PaypalSettings } from './paypal-settings.ts'

const TIMEOUT_MS = 15_000
/** A token is not used to its last moment: the call that carries it takes time. */
const TOKEN_MARGIN_MS = 60_000

export type PaypalCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** JSON as text: what was signed must be passed on byte for byte. */
  readonly body?: string
  /** PayPal answers a repeated id with what it did the first time, for six hours. */
  readonly requestId?: string
}

/** `refused`: PayPal understood and will not; `issue` is its own word for the reason. */
export type PaypalAnswer =
  | { readonly kind: 'done'; readonly body: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly issue: string }

export type PaypalClient = { call(call: PaypalCall): Promise<PaypalAnswer> }

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const Refusal = z.object({ name: z.string().optional(), details: z.array(z.object({ issue: z.string() })).optional() })

type Held = { readonly value: string; readonly untilMs: number }
type Answered = { readonly status: number; readonly text: string }

const failure = (what: string, retryable: boolean): AppError =>
  new AppError('PROVIDER_FAILURE', `PayPal: ${what}`, { retryable })

/** PayPal's API with a token that is kept while it counts. Errors name the path and the status alone, never what was sent. */
export function paypalClient(
  { clock }: Pick<Context, 'clock'>,
  settings: PaypalSettings,
  timeoutMs = TIMEOUT_MS,
): PaypalClient {
  let held: Held | undefined

  const ask = async (path: string, init: RequestInit): Promise<Answered> => {
    try {
      const url = `${settings.apiUrl}${path}`
      const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      throw failure(`${path} ${error instanceof Error ? error.name : 'failed'}`, true)
    }
  }

  const freshToken = async (): Promise<string> => {
    if (held && held.untilMs > clock.now()) return held.value
    const basic = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64')
    const { status, text } = await ask('/v1/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    if (status !== 200) throw failure(`token ${status}`, status >= 500 || status === 429)
    const token = Token.safeParse(parse('token', text))
    if (!token.success) throw failure('token is not readable', true)
    held = { value: token.data.access_token, untilMs: clock.now() + token.data.expires_in * 1_000 - TOKEN_MARGIN_MS }
    return held.value
  }

  const send = async ({ method, path, body, requestId }: PaypalCall): Promise<Answered> =>
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
      if (first.status !== 401) return answerOf(call.path, first)
      // A token may be withdrawn before its time.
      held = undefined
      return answerOf(call.path, await send(call))
    },
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw failure(`${path} is not readable`, true)
  }
}

function answerOf(path: string, { status, text }: Answered): PaypalAnswer {
  if (status >= 200 && status < 300) return { kind: 'done', body: parse(path, text) }
  if (status === 404) return { kind: 'missing' }
  if (status === 422) {
    const refusal = Refusal.safeParse(parse(path, text))
    const issue = refusal.success ? (refusal.data.details?.[0]?.issue ?? refusal.data.name) : undefined
    return { kind: 'refused', issue: issue ?? 'UNPROCESSABLE_ENTITY' }
  }
  throw failure(`${path} ${status}`, status >= 500 || status === 429 || status === 409)
}
