import type { ErrorCode } from '#contracts/http/errors.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import type { AnswerSchema } from '@/lib/browser-client/request.ts'

/** A refusal for the forms. `NETWORK` means that there was no response. */
export type Refusal = {
  ok: false
  code: ErrorCode | 'NETWORK'
  message: string
  fields: Readonly<Record<string, string>>
  retryAfterSeconds: number | null
  /** Further data of the refusal: the challenge of a sign-in that needs another step. */
  params?: Readonly<Record<string, string | number>>
}
export type Answer = { ok: true } | Refusal

const refusalOf = (failure: unknown): Refusal => {
  if (!(failure instanceof ApiFailure) || failure.code === 'OFFLINE') {
    return { ok: false, code: 'NETWORK', message: '', fields: {}, retryAfterSeconds: null }
  }
  const { code, message, fields, params, retryAfterSeconds } = failure
  if (code === 'UNREADABLE')
    return { ok: false, code: 'INTERNAL', message: '', fields: {}, params: {}, retryAfterSeconds }
  return { ok: false, code, message, fields, params, retryAfterSeconds }
}

export type AuthCall =
  | 'login'
  | 'login/factor'
  | 'passkey/options'
  | 'passkey/login'
  | 'register'
  | 'logout'
  | 'verify'
  | 'verify/resend'
  | 'passwordreset'
  | 'passwordreset/confirm'
  | 'email/confirm'
  | 'email/undo'
  | 'deletion/undo'

/** Sign-in pages load no schemas: each reads only the part of a response that it needs. */
const anything: AnswerSchema<unknown> = { safeParse: (data) => ({ success: true, data }) }

/** Posts to the site's own API; `body` of a success is the response. */
export const askAuth = (
  call: AuthCall,
  body: unknown,
  language: string,
): Promise<{ ok: true; body: unknown } | Refusal> =>
  api
    .call(`/api/auth/${call}`, { method: 'POST', body, language, hasSession: false, schema: anything })
    .then((answer) => ({ ok: true as const, body: answer ?? {} }), refusalOf)

/** Refreshes this browser's session; false without one, and if the site does not respond. */
const isRenewed = (): Promise<boolean> => api.refresh().catch(() => false)

/** Posts to the site's own API. Tokens are returned as HttpOnly cookies, so a success has no body. */
export const postAuth = async (call: AuthCall, body: unknown, locale: string): Promise<Answer> => {
  const answer = await askAuth(call, body, locale)
  return answer.ok ? { ok: true } : answer
}

/** Posts for the signed-in person. An expired access token is refreshed once. */
export const postSignedIn = async (
  call: 'verify' | 'verify/resend',
  body: unknown,
  locale: string,
): Promise<Answer> => {
  const answer = await postAuth(call, body, locale)
  if (answer.ok || answer.code !== 'TOKEN_EXPIRED') return answer
  return (await isRenewed()) ? postAuth(call, body, locale) : answer
}

type Mailbox = { email: string; verified: boolean }

const mailbox: AnswerSchema<Mailbox> = { safeParse: (data) => ({ success: true, data: data as Mailbox }) }

/** The address of the signed-in person; null if the site does not respond. */
export const readMailbox = async (language: string, mayRefresh = true): Promise<Mailbox | 'signed out' | null> => {
  try {
    return await api.call('/api/user/me', { language, hasSession: false, schema: mailbox })
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 401) return null
    return mayRefresh && (await isRenewed()) ? readMailbox(language, false) : 'signed out'
  }
}
