import { barionProvider } from '../../control-plane/money/payments/providers/barion/barion-provider.ts'
import { phoneProvider } from '../../control-plane/money/payments/providers/phone/phone-provider.ts'
import {
  decideSandboxPayment,
  sandboxProvider,
} from '../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import type { PhoneSettings } from '../../control-plane/money/payments/phone-settings.ts'
import type { Context } from '../../control-plane/platform/context.ts'
import type { Database } from '#platform/postgres/database.ts'
import { startBarion, type BarionEmulator } from '../emulators/barion/barion.ts'
import { aggregator, type Aggregator } from '../emulators/phone/aggregator.ts'
import { orderContext } from './shop.ts'

export const PHONE_SECRETS = ['first secret of the aggregator, long', 'second secret of the aggregator, long'] as const
export const PHONE: PhoneSettings = {
  secrets: PHONE_SECRETS,
  keyword: 'BAKTER',
  tariffs: [
    { kind: 'premium-sms', paidFt: 1905n, creditedFt: 800n, number: '06-90-888-333' },
    { kind: 'premium-sms', paidFt: 5080n, creditedFt: 2100n, number: '06-90-888-444' },
    { kind: 'premium-call', paidFt: 1905n, creditedFt: 800n, number: '06-90-111-222' },
  ],
}
export const BARION_PAYEE = 'shop@bakter.test'
export const BARION_POS_KEY = 'pos-key-of-the-shop-that-is-secret'

export type BarionRig = { readonly barion: BarionEmulator; readonly provider: ReturnType<typeof barionProvider> }

/** Barion and its adapter; `callbackUrl` is the shop's. */
export async function barionRig(callbackUrl = 'http://127.0.0.1:9/payments/webhooks/barion'): Promise<BarionRig> {
  const barion = await startBarion({ posKey: BARION_POS_KEY, payee: BARION_PAYEE })
  const { url } = barion
  const settings = { posKey: BARION_POS_KEY, payee: BARION_PAYEE, apiUrl: url, payUrl: url, callbackUrl }
  return { barion, provider: barionProvider(settings) }
}

export type PhoneRig = { readonly phone: Aggregator; readonly provider: ReturnType<typeof phoneProvider> }

/** The phone's adapter and an aggregator that signs with its first secret. */
export function phoneRig(context: Context): PhoneRig {
  const phone = aggregator({ secrets: [PHONE_SECRETS[0]], now: () => context.clock.now() })
  return { phone, provider: phoneProvider(context, PHONE) }
}

export const sandboxRig = (db: Database) => {
  const context = orderContext(db)
  return { context, provider: sandboxProvider(context, 'http://pay.test'), decide: decideSandboxPayment }
}
