import type { ErrorCode } from '#contracts/http/errors.ts'

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

type Wire = {
  error?: {
    code?: string
    message?: string
    fields?: Record<string, string>
    retryAfterSeconds?: number
    params?: Record<string, string | number>
  }
}

const refusalOf = (body: Wire, retryAfter: string | null): Refusal => {
  const { code, message, fields, retryAfterSeconds, params } = body.error ?? {}
  const seconds = retryAfterSeconds ?? Number(retryAfter)
  return {
    ok: false,
    code: (code ?? 'INTERNAL') as ErrorCode,
    message: message ?? '',
    fields: fields ?? {},
    params: params ?? {},
    retryAfterSeconds:
      retryAfter === null && retryAfterSeconds === undefined ? null : Number.isFinite(seconds) ? seconds : 60,
  }
}

export type AuthCall =
  | 'login'
  | 'login/factor'
  | 'passkey/options'
  | 'passkey/login'
  | 'register'
  | 'logout'
  | 'refresh'
  | 'verify'
  | 'verify/resend'
  | 'passwordreset'
  | 'passwordreset/confirm'
  | 'email/confirm'
  | 'email/undo'
  | 'deletion/undo'

/** Posts to the site's own API; `body` of a success is what it answered. */
export const askAuth = async (
  call: AuthCall,
  body: unknown,
  locale: string,
): Promise<{ ok: true; body: unknown } | Refusal> => {
  try {
    const response = await fetch(`/api/auth/${call}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'accept-language': locale },
      body: JSON.stringify(body),
    })
    // A body that nobody reads keeps its connection.
    const wire: unknown = await response.json().catch(() => ({}))
    return response.ok ? { ok: true, body: wire } : refusalOf(wire as Wire, response.headers.get('retry-after'))
  } catch {
    return { ok: false, code: 'NETWORK', message: '', fields: {}, retryAfterSeconds: null }
  }
}

/** Posts to the site's own API. Tokens come back as cookies that no script can read, so a success carries nothing. */
export const postAuth = async (call: AuthCall, body: unknown, locale: string): Promise<Answer> => {
  const answer = await askAuth(call, body, locale)
  return answer.ok ? { ok: true } : answer
}

/** Posts for who is signed in. An access token that has ended is renewed once. */
export const postSignedIn = async (
  call: 'verify' | 'verify/resend',
  body: unknown,
  locale: string,
): Promise<Answer> => {
  const answer = await postAuth(call, body, locale)
  if (answer.ok || answer.code !== 'TOKEN_EXPIRED') return answer
  return (await postAuth('refresh', {}, locale)).ok ? postAuth(call, body, locale) : answer
}

/** The address of who is signed in; null when the site does not answer. */
export const readMailbox = async (
  locale: string,
  mayRefresh = true,
): Promise<{ email: string; verified: boolean } | 'signed out' | null> => {
  try {
    const response = await fetch('/api/user/me', { credentials: 'same-origin', headers: { 'accept-language': locale } })
    if (response.ok) return (await response.json()) as { email: string; verified: boolean }
    if (response.status !== 401) return null
    const isRenewed = mayRefresh && (await postAuth('refresh', {}, locale)).ok
    return isRenewed ? readMailbox(locale, false) : 'signed out'
  } catch {
    return null
  }
}
