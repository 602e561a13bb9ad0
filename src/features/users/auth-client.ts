import type { ErrorCode } from '#contracts/http/errors.ts'

/** A refusal as the forms need it. `NETWORK` means that no answer came. */
export type Refusal = {
  ok: false
  code: ErrorCode | 'NETWORK'
  message: string
  fields: Readonly<Record<string, string>>
  retryAfterSeconds: number | null
}
export type Answer = { ok: true } | Refusal

type Wire = { error?: { code?: string; message?: string; fields?: Record<string, string>; retryAfterSeconds?: number } }

const refusalOf = (body: Wire, retryAfter: string | null): Refusal => {
  const { code, message, fields, retryAfterSeconds } = body.error ?? {}
  const seconds = retryAfterSeconds ?? Number(retryAfter)
  return {
    ok: false,
    code: (code ?? 'INTERNAL') as ErrorCode,
    message: message ?? '',
    fields: fields ?? {},
    retryAfterSeconds:
      retryAfter === null && retryAfterSeconds === undefined ? null : Number.isFinite(seconds) ? seconds : 60,
  }
}

/** Posts to the site's own API. Tokens come back as cookies that no script can read, so a success carries nothing. */
export const postAuth = async (
  call: 'login' | 'register' | 'logout',
  body: unknown,
  locale: string,
): Promise<Answer> => {
  try {
    const response = await fetch(`/api/auth/${call}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'accept-language': locale },
      body: JSON.stringify(body),
    })
    if (response.ok) {
      // A body that nobody reads keeps its connection; of what it says nothing is needed.
      void response.text().catch(() => undefined)
      return { ok: true }
    }
    const wire = (await response.json().catch(() => ({}))) as Wire
    return refusalOf(wire, response.headers.get('retry-after'))
  } catch {
    return { ok: false, code: 'NETWORK', message: '', fields: {}, retryAfterSeconds: null }
  }
}
