'use client'
import { useLocale } from 'next-intl'
import { useState } from 'react'
import { TOPUP_MAXIMUM_FT, TOPUP_MINIMUM_FT } from '#contracts/http/balance.ts'
import type { PaymentMethod, PaymentTariff } from '#contracts/http/payment.ts'
import { readAmount, type AmountRead } from './forint-input.ts'

export type PriceOf = {
  readonly read: AmountRead
  /** The credited amount; 0 without an amount. */
  readonly creditedFt: number
  readonly minimumFt: number
  readonly maximumFt: number
  readonly tariffs: readonly PaymentTariff[]
  readonly tariff: PaymentTariff | undefined
  readonly choose: (tariff: PaymentTariff) => void
}

/** The payment and credit of a chosen method: for the typed amount, or for the chosen one of the method's tariffs. */
export const usePriceOf = (methods: readonly PaymentMethod[]) => {
  const locale = useLocale()
  const [chosen, choose] = useState<PaymentTariff>()
  return ({ method: methodId, amount: typed }: { method: string; amount: string }): PriceOf => {
    const method = methods.find(({ id }) => id === methodId)
    const tariffs = method?.tariffs ?? []
    const bounds = {
      minimumFt: method?.minimumFt ?? TOPUP_MINIMUM_FT,
      maximumFt: method?.maximumFt ?? TOPUP_MAXIMUM_FT,
    }
    if (tariffs.length === 0) {
      const read = readAmount(typed, locale, bounds)
      return { read, creditedFt: read.ok ? read.amountFt : 0, ...bounds, tariffs, tariff: undefined, choose }
    }
    const known = tariffs.find(({ kind, paidFt }) => kind === chosen?.kind && paidFt === chosen.paidFt)
    const tariff = known ?? tariffs[0]
    const read: AmountRead = tariff ? { ok: true, amountFt: tariff.paidFt } : { ok: false, code: 'empty' }
    return { read, creditedFt: tariff?.creditedFt ?? 0, ...bounds, tariffs, tariff, choose }
  }
}
