import { identity } from '@/identity/dependencies.ts'
import { languageCookies } from '@/i18n/language-cookies.ts'
import { changeProfile, readProfile } from '@/identity/profile.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { siteSettings } from '@/lib/site/env.ts'

const NO_ACCOUNT = { balance: null, premium: null, premiumExpiry: null, spinCount: null }

// Who is signed in does not depend on the control plane: without it the account's part is null.
export const GET = apiHandler('GET /api/user/me', async (call) => {
  const [profile, account] = await Promise.all([
    readProfile(identity().db, call.subject.userId),
    askControlPlane('account', {}, call).catch((error: unknown) => {
      if (error instanceof ApiError) return NO_ACCOUNT
      throw error
    }),
  ])
  if (profile === null) throw new ApiError('UNAUTHENTICATED')
  return { body: { ...profile, ...account } }
})

export const PATCH = apiHandler('PATCH /api/user/me', async (call) => {
  const settings = await changeProfile(identity(), { userId: call.subject.userId, change: call.input }, call)
  if (settings === null) throw new ApiError('UNAUTHENTICATED')
  const { language } = call.input
  return {
    body: settings,
    ...(language === undefined ? {} : { cookies: languageCookies(language, siteSettings().isSecure) }),
  }
})
