import type { BillingClock } from '#contracts/http/lifetime.ts'
import { recordActivity } from '../messages/notices/notify-user.ts'
import { grantTestServer } from '../money/lifetime/grant-test-server.ts'
import { administratorOf } from './administrator-of.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal, orderRefused } from './api-refusal.ts'

type LifetimeCall = 'grant-test-server' | 'billing-clock' | 'confirm-billing-clock'

/** Calls of staff about test servers and the billing clock. */
export const lifetimeCalls = ({ context, clockGuard }: ApiDeps): Pick<InternalCalls, LifetimeCall> => {
  const state = async (): Promise<BillingClock> => {
    const stopped = await clockGuard.stopped()
    if (stopped === null) return { stopped }
    const { kind, jumpMs, noticedAtMs } = stopped
    return { stopped: { kind, jumpMs, noticedAt: new Date(noticedAtMs).toISOString() } }
  }
  return {
    'grant-test-server': async ({ caller, wanted }, { requestId }) => {
      // Support handles the tickets in which customers request one.
      if (!caller.isSupport) administratorOf(caller)
      const result = await grantTestServer(context, { caller, wanted, requestId })
      if (result.ok) return { serverId: result.serverId, expiresAt: new Date(result.expiresAtMs).toISOString() }
      if (result.code === 'TEST_ALREADY_HAD') throw new ApiRefusal(result.code)
      throw orderRefused(result)
    },
    'billing-clock': ({ caller }) => {
      administratorOf(caller)
      return state()
    },
    'confirm-billing-clock': async ({ caller }) => {
      administratorOf(caller)
      await clockGuard.confirm()
      const { userId, address } = caller
      const activity = { userId, address, type: 'billing.clock-confirmed', status: 'success' } as const
      await recordActivity(context.db, context, activity)
      context.log.warn({ userId }, 'the time was confirmed: billing goes on')
      return state()
    },
  }
}
