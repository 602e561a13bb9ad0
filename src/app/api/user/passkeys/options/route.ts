import { beginPasskey } from '@/identity/add-passkey.ts'
import { setCookie } from '@/identity/cookies.ts'
import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { browserSecrets, personOf, refused, sitePasskeys } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/passkeys/options', async (call) => {
  const { password, code } = call.input
  const { browser } = browserSecrets(call.headers)
  const wish = { person: personOf(call), password, code, site: sitePasskeys(), browser }
  const answer = await beginPasskey(identity(), wish, call)
  if (!answer.ok) throw refused(answer)
  return {
    body: { challenge: answer.challenge.token, options: { ...answer.options } },
    cookies: [setCookie('challenge', answer.challenge.browser, siteSettings().isSecure)],
  }
})
