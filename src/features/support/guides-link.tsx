'use client'
import { BookOpen } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { guidePath } from '#contracts/guides/topics.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'

/** The way from tickets to the guides. A short one is its sign alone on a phone, where it shares a row with another button. */
export const GuidesLink = ({ isShort = false }: { isShort?: boolean }) => {
  const t = useTranslations('tickets')
  return (
    <PageLink
      className={buttonClass({ look: 'quiet' })}
      href={guidePath('servers')}
      aria-label={t('guides')}
      title={t('guides')}
    >
      <BookOpen className="i" aria-hidden />
      <span className={isShort ? 'only-desk' : undefined}>{t('guides')}</span>
    </PageLink>
  )
}
