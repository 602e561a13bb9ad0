import { changePackage, keepPackage, type PackageChangeRefusal } from '../money/modification/change-package.ts'
import { quotePackages } from '../money/modification/quote-packages.ts'
import type { KeyRefusal } from '../platform/once-per-key.ts'
import { findServer } from '../servers/store/read-servers.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'
import { modificationRefused } from './modification-calls.ts'

/** Translates the refusal of another package to the API. */
function packageRefused(refusal: PackageChangeRefusal | KeyRefusal): ApiRefusal {
  switch (refusal.code) {
    case 'NOT_IN_PACKAGE':
    case 'PACKAGE_UNAVAILABLE':
    case 'CHANGE_ALREADY_PAID':
      return new ApiRefusal(refusal.code)
    default:
      return modificationRefused({ ...refusal, code: refusal.code })
  }
}

/** Calls of an owner about the package of a server. */
export const packageCalls = ({
  context,
}: ApiDeps): Pick<InternalCalls, 'server-packages' | 'change-package' | 'keep-package'> => {
  const shown = async (asking: Parameters<typeof findServer>[1]) => {
    const server = await findServer(context, asking)
    if (!server) throw new ApiRefusal('NOT_FOUND')
    return server
  }
  return {
    'server-packages': async (input) => {
      const quoted = await quotePackages(context, input)
      if (!quoted.ok) throw new ApiRefusal(quoted.code === 'NOT_INSTALLED' ? 'INVALID_STATE' : quoted.code)
      return quoted.packages
    },
    'change-package': async (input, meta) => {
      const command = { ...input, requestId: meta.requestId, idempotencyKey: keyOf(meta) }
      const result = await changePackage(context, command)
      if (!result.ok) throw packageRefused(result)
      const { startsAtMs, at, packageId, chargeFt, monthlyFt } = result.answer
      const change = { at, packageId, chargeFt, monthlyFt, startsAt: new Date(startsAtMs).toISOString() }
      return { change, server: await shown(input) }
    },
    'keep-package': async (input) => {
      const kept = await keepPackage(context, input)
      if (!kept.ok) throw new ApiRefusal(kept.code)
      return { server: await shown(input) }
    },
  }
}
