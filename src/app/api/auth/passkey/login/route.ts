import { identity } from '@/identity/dependencies.ts'
import { finishPasskeyLogin } from '@/identity/sign-in/passkey-login.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { browserSecrets, refusedSignIn, sitePasskeys } from '@/lib/person.ts'
import { secondStepCookies, tokenAnswer } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/auth/passkey/login', async ({ input, headers, address, userAgent }) => {
  const { device, browser } = browserSecrets(headers)
  const { userHandle, ...assertion } = input.response.response
  const response = {
    ...input.response,
    clientExtensionResults: {},
    response: { ...assertion, ...(userHandle === undefined ? {} : { userHandle }) },
  }
  const attempt = { site: sitePasskeys(), challenge: { token: input.challenge, browser }, response, device }
  const answer = await finishPasskeyLogin(identity(), attempt, { address, userAgent })
  if (!answer.ok) throw refusedSignIn(answer)
  return { body: tokenAnswer(answer.tokens), cookies: secondStepCookies(answer.tokens, answer.device) }
})
