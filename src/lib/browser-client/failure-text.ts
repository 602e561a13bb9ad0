'use client'
import { useTranslations } from 'next-intl'
import { ApiFailure } from '@/lib/browser-client/failure.ts'

/** A failure as a sentence: the site's own text, or ours when there was no readable response. */
export const useFailureText = () => {
  const t = useTranslations('failures')
  return (failure: unknown): string => {
    if (!(failure instanceof ApiFailure)) return t('unknown')
    if (failure.code === 'OFFLINE') return t('offline')
    if (failure.code === 'UNREADABLE') return t('unknown')
    if (failure.code === 'CONTROL_PLANE_UNAVAILABLE') return t('controlPlane')
    if (failure.code === 'NODE_UNREACHABLE') return t('node')
    return failure.message || t('unknown')
  }
}
