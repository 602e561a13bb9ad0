import { identity } from '@/identity/dependencies.ts'
import { finishLogin } from '@/identity/sign-in/login.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { browserSecrets, refusedSignIn } from '@/lib/person.ts'
import { secondStepCookies, tokenAnswer } from '@/lib/session.ts'

export const POST = apiHandler('POST /api/auth/login/factor', async ({ input, headers, address, userAgent }) => {
  const { device, browser } = browserSecrets(headers)
  const step = { challenge: { token: input.challenge, browser }, code: input.code, device }
  const answer = await finishLogin(identity(), step, { address, userAgent })
  if (!answer.ok) throw refusedSignIn(answer)
  return { body: tokenAnswer(answer.tokens), cookies: secondStepCookies(answer.tokens, answer.device) }
})
