import { identity } from '@/identity/dependencies.ts'
import { passkeySite } from '@/identity/passkey-site.ts'
import { listPasskeys } from '@/identity/passkeys.ts'
import { readFactors } from '@/identity/second-factor.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'

export const GET = apiHandler('GET /api/user/2fa', async ({ subject }) => {
  const { db } = identity()
  const [{ totp, recoveryCodesLeft, isRequired }, passkeys] = await Promise.all([
    readFactors(db, subject.userId),
    listPasskeys(db, subject.userId),
  ])
  return {
    body: {
      ...{ totp, recoveryCodesLeft, required: isRequired },
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        ...{ id, name, createdAt: createdAt.toISOString() },
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
      passkeysAvailable: passkeySite(siteSettings().siteUrl) !== null,
    },
  }
})
