'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { remainingDays } from '#domain/billing/period.ts'
import { formatDate } from '@/lib/format/date.ts'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import type { AttentionKind } from './attention.ts'

export const ATTENTION_LAMPS: Readonly<Record<AttentionKind, LampKind>> = {
  crashed: 'crash',
  errorOnStartup: 'crash',
  expired: 'due',
  suspended: 'held',
  expiresSoon: 'due',
  maintenance: 'away',
}

export type Watched = { readonly server: Server; readonly kind: AttentionKind }

/** Why a server needs its reader, in words. */
export const useWatchText = () => {
  const t = useTranslations('servers.list.watchTexts')
  const [locale, timeZone] = [useLocale(), useTimeZone()]
  return ({ server, kind }: Watched): string => {
    const expiresMs = Date.parse(server.expiry)
    if (kind === 'expired') {
      return t('expired', { date: formatDate(deletionAtMs(expiresMs), locale, { style: 'day', timeZone }) })
    }
    if (kind === 'expiresSoon') return t('expiresSoon', { days: Math.max(0, remainingDays(expiresMs, Date.now())) })
    if (kind === 'suspended' && server.suspendedReason) return t('suspended', { reason: server.suspendedReason })
    return t(kind === 'suspended' ? 'suspendedOnly' : kind)
  }
}
