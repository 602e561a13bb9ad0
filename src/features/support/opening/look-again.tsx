'use client'
import { useTranslations } from 'next-intl'
import { Button } from '@/ui/controls/button.tsx'
import type { About } from './use-about-server.ts'

/** Reads again what could not be read about a server. */
export const LookAgain = ({ about, isBusy }: { about: About; isBusy: boolean }) => {
  const t = useTranslations('tickets.about')
  return (
    <Button size="s" disabled={isBusy} busy={about.isLooking} onClick={about.lookAgain}>
      {t('again')}
    </Button>
  )
}
