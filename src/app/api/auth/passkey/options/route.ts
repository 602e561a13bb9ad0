import { setCookie } from '@/identity/cookies.ts'
import { identity } from '@/identity/dependencies.ts'
import { beginPasskeyLogin } from '@/identity/passkey-login.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { browserSecrets, refused, sitePasskeys } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/auth/passkey/options', async ({ input, headers }) => {
  const { browser } = browserSecrets(headers)
  const second = input.challenge === undefined ? null : { token: input.challenge, browser }
  const answer = await beginPasskeyLogin(identity(), { site: sitePasskeys(), second, browser })
  if (!answer.ok) throw refused(answer)
  return {
    body: { challenge: answer.challenge.token, options: { ...answer.options } },
    cookies: [setCookie('challenge', answer.challenge.browser, siteSettings().isSecure)],
  }
})
