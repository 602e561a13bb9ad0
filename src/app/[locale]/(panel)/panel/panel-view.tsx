'use client'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { panelPageAt } from '#contracts/features.ts'
import type { BuiltPanelPage } from '#contracts/features.ts'
import { ConsolePage } from '@/features/console/console-page.tsx'
import { usePanelPlace } from '@/features/dashboard/panel-path.ts'
import { UnknownPage } from '@/features/dashboard/unknown-page.tsx'
import { Together } from '@/ui/surfaces/together.tsx'

// Most visits are to the console; the other pages are loaded on demand.
const ServerSettingsPage = dynamic(
  () => import('@/features/server-settings/settings-page.tsx').then((file) => file.ServerSettingsPage),
  { ssr: false },
)

const FilesPage = dynamic(() => import('@/features/files/files-page.tsx').then((file) => file.FilesPage), {
  ssr: false,
})

const NetworksPage = dynamic(() => import('@/features/networks/networks-page.tsx').then((file) => file.NetworksPage), {
  ssr: false,
})

const StartupPage = dynamic(() => import('@/features/startup/startup-page.tsx').then((file) => file.StartupPage), {
  ssr: false,
})

const CollaboratorsPage = dynamic(
  () => import('@/features/collaborators/collaborators-page.tsx').then((file) => file.CollaboratorsPage),
  { ssr: false },
)

const ServerActivityPage = dynamic(
  () => import('@/features/activities/server/server-activity-page.tsx').then((file) => file.ServerActivityPage),
  { ssr: false },
)

const WithdrawalPanel = dynamic(
  () => import('@/features/withdrawal/withdrawal-panel.tsx').then((file) => file.WithdrawalPanel),
  { ssr: false },
)

// Few logs have something to accept.
const AcceptEula = dynamic(() => import('@/features/files/accept-eula.tsx').then((file) => file.AcceptEula), {
  ssr: false,
})

const pages: Readonly<Record<BuiltPanelPage, (id: string) => ReactNode>> = {
  console: (id) => <ConsolePage key={id} id={id} acceptEula={(server) => <AcceptEula server={server} />} />,
  files: (id) => <FilesPage key={id} id={id} />,
  networks: (id) => <NetworksPage key={id} id={id} />,
  startup: (id) => <StartupPage key={id} id={id} />,
  users: (id) => <CollaboratorsPage key={id} id={id} />,
  activities: (id) => <ServerActivityPage key={id} id={id} />,
  settings: (id) => <ServerSettingsPage key={id} id={id} withdrawal={<WithdrawalPanel serverId={id} />} />,
}

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
  const page = panelPageAt(place.page)
  return page === undefined ? <UnknownPage /> : pages[page](place.id)
}
