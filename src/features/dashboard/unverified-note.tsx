'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { meQuery } from '@/lib/queries/queries.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'

/** Above every page while the e-mail address is unverified: the blocked actions, and a link to verify it. */
export const UnverifiedNote = ({ className }: { className: string }) => {
  const t = useTranslations('dashboard')
  const me = useQuery(meQuery()).data
  if (me?.verified !== false) return null
  const confirm = (
    <a className="link" href="/auth/verify">
      {t('verify')}
    </a>
  )
  return (
    <Notice tone="wait" action={confirm} className={className}>
      {t('unverified')}
    </Notice>
  )
}
