import { login } from '../../src/identity/sign-in/login.ts'
import { register } from '../../src/identity/accounts/register.ts'
import { setUpTotp, turnTotpOn } from '../../src/identity/factors/factor-setup.ts'
import type { TestIdentity } from './identity-context.ts'
import { codeAt } from './totp-code.ts'

export const PASSWORD = 'correct horse battery'

let made = 0

/** The origin of a call: a unique address, so that no address limit counts in a test about something else. */
export const somewhere = () => {
  made += 1
  return { address: `10.${100 + Math.floor(made / 250)}.${made % 250}.7`, userAgent: 'test' }
}

/** Registers a person with a unique name. */
export const newPerson = async ({ context }: TestIdentity, name = 'person') => {
  made += 1
  const username = `${name}${made}`
  const email = `${username}@example.test`
  const answer = await register(context, { username, email, password: PASSWORD, language: 'en' }, somewhere())
  if (!answer.ok) throw new Error(answer.code)
  return { userId: answer.userId, username }
}

/** Signs in a person without a second factor. */
export const signedIn = async ({ context }: TestIdentity, username: string) => {
  const answer = await login(context, { name: username, password: PASSWORD, device: null }, somewhere())
  if (!answer.ok) throw new Error(answer.code)
  return { tokens: answer.tokens, person: { ...answer.tokens.subject, device: null } }
}

/** A person with an authenticator app. The clock is in a step whose code is unused. */
export const personWithTotp = async (site: TestIdentity) => {
  const { context, clock } = site
  const { userId, username } = await newPerson(site, 'factor')
  const { tokens, person } = await signedIn(site, username)
  const setup = await setUpTotp(context, { person, password: PASSWORD, code: undefined }, somewhere())
  if (!setup.ok) throw new Error(setup.code)
  const code = () => codeAt(setup.secret, clock.now())
  const on = await turnTotpOn(context, { person, code: await code() }, somewhere())
  if (!on.ok || on.recoveryCodes === null) throw new Error('The factor did not turn on.')
  clock.advance(30_000)
  return { userId, username, person, tokens, secret: setup.secret, code, recoveryCodes: on.recoveryCodes }
}
