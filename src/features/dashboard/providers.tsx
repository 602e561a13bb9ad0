'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { RealtimeProvider } from '@/features/realtime/realtime-provider.tsx'
import { ToastProvider } from '@/ui/surfaces/toast.tsx'
import type { OutsideLinks } from './entries.ts'
import { OutsideLinksProvider } from './outside-links.tsx'
import { QueryProvider } from './query-provider.tsx'
import { ReaderZone } from './reader-zone.tsx'

export const Providers = ({ links, children }: { links: OutsideLinks; children: ReactNode }) => {
  const t = useTranslations('common')
  return (
    <QueryProvider>
      <ReaderZone>
        <ToastProvider closeLabel={t('close')}>
          <RealtimeProvider>
            <OutsideLinksProvider links={links}>{children}</OutsideLinksProvider>
          </RealtimeProvider>
        </ToastProvider>
      </ReaderZone>
    </QueryProvider>
  )
}
