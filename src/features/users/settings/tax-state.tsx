'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { TaxProfile } from '#contracts/http/tax.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'

export const TAX_KEY = ['tax']
const ASKING_MS = 5_000
const SILENT_MS = 30_000

const taxQuery = () =>
  queryOptions({
    queryKey: TAX_KEY,
    queryFn: ({ signal }) => api.call('/api/balance/tax', { schema: TaxProfile, signal }),
    staleTime: 15_000,
    // A new result of the office appears by itself.
    refetchInterval: ({ state }) => {
      const check = state.data?.check.state
      return check === 'waiting' ? ASKING_MS : check === 'unavailable' ? SILENT_MS : false
    },
  })

const LAMPS = { waiting: 'busy', unavailable: 'due', valid: 'done', invalid: 'crash' } as const satisfies Record<
  Exclude<TaxProfile['check']['state'], 'none'>,
  LampKind
>

const Check = ({ check }: { check: TaxProfile['check'] }) => {
  const t = useTranslations('settings.tax')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const { state, number, checkedAt, proof } = check
  if (state === 'none' || number === null) return null
  const date = checkedAt === null ? '' : formatDate(checkedAt, locale, { style: 'day', timeZone })
  return (
    <>
      <Lamp kind={LAMPS[state]}>{t(`states.${state}`)}</Lamp>
      <p className="t2">{t(`checks.${state}`, { number, date })}</p>
      {state === 'valid' && proof !== null ? <p className="small t2">{t('proof', { proof })}</p> : null}
    </>
  )
}

/** The tax in this person's prices, and the tax office's result for the number. Hidden while unknown. */
export const TaxState = () => {
  const t = useTranslations('settings.tax')
  const locale = useLocale()
  const { data } = useQuery(taxQuery())
  if (data === undefined) return null
  const country = new Intl.DisplayNames(locale, { type: 'region' }).of(data.country) ?? data.country
  return (
    <div className="settings-tax" role="status">
      <Check check={data.check} />
      <p className="t2">{t(`kinds.${data.kind}`, { percent: data.ratePercent, country })}</p>
    </div>
  )
}
