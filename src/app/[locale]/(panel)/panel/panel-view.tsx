'use client'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { ConsolePage } from '@/features/console/console-page.tsx'
import { usePanelPlace } from '@/features/dashboard/panel-path.ts'
import { UnknownPage } from '@/features/dashboard/unknown-page.tsx'
import { Together } from '@/ui/surfaces/together.tsx'

// Most visits are to the console; the other pages are loaded on demand.
const ServerSettingsPage = dynamic(
  () => import('@/features/server-settings/settings-page.tsx').then((file) => file.ServerSettingsPage),
  { ssr: false },
)

const WithdrawalPanel = dynamic(
  () => import('@/features/withdrawal/withdrawal-panel.tsx').then((file) => file.WithdrawalPanel),
  { ssr: false },
)

/** The page of the panel at this address; without a server it is the list of servers. */
export const PanelView = () => {
  const t = useTranslations('panel')
  const router = useRouter()
  const place = usePanelPlace()
  useEffect(() => {
    if (place === undefined) router.replace('/dashboard/servers')
  }, [place, router])
  if (place === undefined || place === 'reading') {
    return (
      <Together phase="seen" reading={t('readingAll')}>
        {null}
      </Together>
    )
  }
  if (place.page === 'settings') {
    return <ServerSettingsPage key={place.id} id={place.id} withdrawal={<WithdrawalPanel serverId={place.id} />} />
  }
  if (place.page !== 'console') return <UnknownPage />
  return <ConsolePage key={place.id} id={place.id} />
}
