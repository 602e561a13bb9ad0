import type { ErrorCode } from '#contracts/http/errors.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import type { AnswerSchema } from '@/lib/browser-client/request.ts'

/** A refusal as the forms need it. `NETWORK` means that no answer came. */
export type Refusal = {
  ok: false
  code: ErrorCode | 'NETWORK'
  message: string
  fields: Readonly<Record<string, string>>
  retryAfterSeconds: number | null
  /** What the refusal says besides: the challenge of a sign-in that asks for more. */
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

/** The pages of the sign-in load no schemas: each reads of an answer the part that it needs. */
const anything: AnswerSchema<unknown> = { safeParse: (data) => ({ success: true, data }) }

/** Posts to the site's own API; `body` of a success is what it answered. */
export const askAuth = (
  call: AuthCall,
  body: unknown,
  language: string,
): Promise<{ ok: true; body: unknown } | Refusal> =>
  api
    .call(`/api/auth/${call}`, { method: 'POST', body, language, hasSession: false, schema: anything })
    .then((answer) => ({ ok: true as const, body: answer ?? {} }), refusalOf)

/** Renews the session of this browser; false where it has none, and where the site does not answer. */
const isRenewed = (): Promise<boolean> => api.refresh().catch(() => false)

/** Posts to the site's own API. Tokens come back as cookies that no script can read, so a success carries nothing. */
export const postAuth = async (call: AuthCall, body: unknown, locale: string): Promise<Answer> => {
  const answer = await askAuth(call, body, locale)
  return answer.ok ? { ok: true } : answer
}

/** Posts for the person who is signed in. An access token that has ended is renewed once. */
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

/** The address of the person who is signed in; null when the site does not answer. */
export const readMailbox = async (language: string, mayRefresh = true): Promise<Mailbox | 'signed out' | null> => {
  try {
    return await api.call('/api/user/me', { language, hasSession: false, schema: mailbox })
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 401) return null
    return mayRefresh && (await isRenewed()) ? readMailbox(language, false) : 'signed out'
  }
}
