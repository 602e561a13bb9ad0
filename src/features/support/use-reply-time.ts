'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { TicketCategories } from '#contracts/http/ticket.ts'
import { waitText } from '@/lib/format/wait-text.ts'

type ReplyTime = NonNullable<TicketCategories[number]['replyTime']>

/** How soon staff replied in the last 30 days, as a sentence. */
export const useReplyTimeText = () => {
  const t = useTranslations('tickets')
  const locale = useLocale()
  return ({ medianMs, ninetyPercentMs }: ReplyTime): string =>
    t('replyTime', { usual: waitText(medianMs, locale), most: waitText(ninetyPercentMs, locale) })
}
