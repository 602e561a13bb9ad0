import type { Caller } from '#contracts/internal-api/calls.ts'
import { identity } from '../identity/dependencies.ts'
import { ApiError } from '../lib/site/api-error.ts'
import type { ControlPlane } from '../lib/site/control-plane-client.ts'
import type { Log } from '#platform/logger.ts'
import { eraseDueAccounts } from '../identity/accounts/erase-accounts.ts'
import type { ErasedPerson } from '../identity/accounts/erase-accounts.ts'
import { sweepIdentity } from '../identity/accounts/retention.ts'

const EVERY_MS = 10 * 60_000
const REQUEST_ID = 'account-erasure'

/** Nobody is signed in: the account's deletion period has passed. */
const asThemselves = (userId: string): Caller => ({
  userId,
  sessionId: null,
  locale: 'en',
  address: '',
  isAdmin: false,
  isSupport: false,
  isVerified: false,
})

const nameOf = (error: unknown): string =>
  error instanceof ApiError ? error.code : error instanceof Error ? error.name : 'unknown'

type Parts = { readonly controlPlane: ControlPlane; readonly log: Log }

const erase = ({ controlPlane, log }: Parts): Promise<number> => {
  const mayErase = async ({ userId, waivedFt }: ErasedPerson) => {
    const caller = asThemselves(userId)
    const left = await controlPlane.call('departure', { caller }, { requestId: REQUEST_ID })
    const isSettled = left.balanceFt <= waivedFt && left.debtFt === 0
    const isFree = isSettled && left.openOrders === 0 && left.openPayments === 0
    if (!isFree) log.warn({ userId }, 'an account is not erased: something came that was not given up, or is owed')
    return isFree
  }
  return eraseDueAccounts({
    context: identity(),
    mayErase,
    eraseElsewhere: async (person) => void (await controlPlane.call('erase-person', person, { requestId: REQUEST_ID })),
    onFailure: (error, userId) => log.warn({ userId, reason: nameOf(error) }, 'an account waits to be erased'),
  })
}

/** Runs every ten minutes: removes data past their retention period, and erases accounts. Returns the stop function. */
export const startChores = (parts: Parts): (() => Promise<void>) => {
  let running: Promise<unknown> | undefined
  const failed = (what: string) => (error: unknown) => parts.log.warn({ reason: nameOf(error) }, what)
  const run = () => {
    running ??= Promise.all([
      sweepIdentity(identity()).catch(failed('what is old was not removed')),
      erase(parts).catch(failed('accounts were not erased')),
    ]).finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  run()
  return async () => {
    clearInterval(timer)
    await running
  }
}
