'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { RealtimeProvider } from '@/features/realtime/realtime-provider.tsx'
import { ToastProvider } from '@/ui/toast.tsx'
import { QueryProvider } from './query-provider.tsx'

export const Providers = ({ children }: { children: ReactNode }) => {
  const t = useTranslations('common')
  return (
    <QueryProvider>
      <ToastProvider closeLabel={t('close')}>
        <RealtimeProvider>{children}</RealtimeProvider>
      </ToastProvider>
    </QueryProvider>
  )
}
