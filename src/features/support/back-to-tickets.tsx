'use client'
import { ChevronLeft } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { TICKET_LINKS } from './ticket-links.ts'

/** The way from one ticket to all of them. */
export const BackToTickets = () => {
  const t = useTranslations('tickets')
  return (
    <p>
      <PageLink className="tk-back t2" href={TICKET_LINKS.list}>
        <ChevronLeft className="i i-s" aria-hidden />
        {t('title')}
      </PageLink>
    </p>
  )
}
