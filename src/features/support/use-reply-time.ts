'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { TicketCategories } from '#contracts/http/ticket.ts'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** A wait is said in a unit of which it has at least this many, rounded up: nobody is promised less. */
const AT_LEAST = 2

/** How long something took, in one unit: "48 minutes". */
export const waitText = (waitMs: number, locale: string): string => {
  const [unit, unitMs] = UNITS.find(([, ms]) => waitMs >= AT_LEAST * ms) ?? UNITS[2]
  const count = Math.max(1, Math.ceil(waitMs / unitMs))
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

type ReplyTime = NonNullable<TicketCategories[number]['replyTime']>

/** How soon staff replied in the last 30 days, as a sentence. */
export const useReplyTimeText = () => {
  const t = useTranslations('tickets')
  const locale = useLocale()
  return ({ medianMs, ninetyPercentMs }: ReplyTime): string =>
    t('replyTime', { usual: waitText(medianMs, locale), most: waitText(ninetyPercentMs, locale) })
}
