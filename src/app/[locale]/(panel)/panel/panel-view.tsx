'use client'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { panelPageAt } from '#contracts/features.ts'
import type { BuiltPanelPage } from '#contracts/features.ts'
import { ConsolePage } from '@/features/console/console-page.tsx'
import type { KnownFixes } from '@/features/console/known-errors/known-errors.tsx'
import { usePanelWord } from '@/features/console/panel-console.tsx'
import { usePanelPlace } from '@/features/dashboard/panel-path.ts'
import { usePanelTitle } from '@/features/dashboard/panel-title.ts'
import { UnknownPanelPage } from '@/features/dashboard/unknown-panel-page.tsx'
import { useServer } from '@/lib/servers/use-server.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Together } from '@/ui/surfaces/together.tsx'

// Most visits are to the console; the other pages are loaded on demand.
const ServerSettingsPage = dynamic(
  () => import('@/features/server-settings/settings-page.tsx').then((file) => file.ServerSettingsPage),
  { ssr: false },
)

const FilesPage = dynamic(() => import('@/features/files/files-page.tsx').then((file) => file.FilesPage), {
  ssr: false,
})

const FilesSize = dynamic(() => import('@/features/files/files-size.tsx').then((file) => file.FilesSize), {
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

const SftpFacts = dynamic(() => import('@/features/files/sftp-facts.tsx').then((file) => file.SftpFacts), {
  ssr: false,
})

const WithdrawalPanel = dynamic(
  () => import('@/features/withdrawal/withdrawal-panel.tsx').then((file) => file.WithdrawalPanel),
  { ssr: false },
)

// Few logs name something that is put right from its card.
const AcceptEula = dynamic(() => import('@/features/files/fixes/accept-eula.tsx').then((file) => file.AcceptEula), {
  ssr: false,
})

const ChooseJava = dynamic(() => import('@/features/startup/choose-java.tsx').then((file) => file.ChooseJava), {
  ssr: false,
})

const DisablePlugin = dynamic(
  () => import('@/features/files/fixes/disable-plugin.tsx').then((file) => file.DisablePlugin),
  {
    ssr: false,
  },
)

const FixPorts = dynamic(() => import('@/features/files/fixes/fix-ports.tsx').then((file) => file.FixPorts), {
  ssr: false,
})

const RestoreWorld = dynamic(
  () => import('@/features/files/fixes/restore-world.tsx').then((file) => file.RestoreWorld),
  { ssr: false },
)

const FitHeap = dynamic(() => import('@/features/startup/fit-heap.tsx').then((file) => file.FitHeap), {
  ssr: false,
})

const FixPortVariable = dynamic(
  () => import('@/features/startup/fix-port-variable.tsx').then((file) => file.FixPortVariable),
  { ssr: false },
)

const FreeStorage = dynamic(() => import('@/features/files/fixes/free-storage.tsx').then((file) => file.FreeStorage), {
  ssr: false,
})

const knownFixes: KnownFixes = {
  acceptEula: (server) => <AcceptEula server={server} />,
  chooseJava: (server, line, otherwise) => <ChooseJava server={server} line={line} otherwise={otherwise} />,
  disablePlugin: (server, path) => <DisablePlugin server={server} path={path} />,
  fixPorts: ({ server, line, above }, otherwise) => (
    <FixPortVariable server={server} line={line} above={above} otherwise={otherwise}>
      <FixPorts server={server} line={line} above={above} otherwise={otherwise} />
    </FixPortVariable>
  ),
  restoreWorld: ({ server, word, line }, otherwise) => (
    <RestoreWorld server={server} word={word} line={line} otherwise={otherwise} />
  ),
  fitHeap: ({ server, line }, otherwise) => <FitHeap server={server} line={line} otherwise={otherwise} />,
  freeStorage: (server, otherwise) => <FreeStorage server={server} otherwise={otherwise} />,
}

const pages: Readonly<Record<BuiltPanelPage, (id: string) => ReactNode>> = {
  console: (id) => <ConsolePage key={id} id={id} fixes={knownFixes} />,
  files: (id) => <FilesPage key={id} id={id} />,
  networks: (id) => <NetworksPage key={id} id={id} />,
  startup: (id) => <StartupPage key={id} id={id} />,
  users: (id) => <CollaboratorsPage key={id} id={id} />,
  activities: (id) => <ServerActivityPage key={id} id={id} />,
  settings: (id) => (
    <ServerSettingsPage
      key={id}
      id={id}
      withdrawal={<WithdrawalPanel serverId={id} />}
      sftp={(server) => <SftpFacts server={server} />}
      filesSize={(server) => <FilesSize server={server} />}
    />
  ),
}

/** Pages whose content is the node's. The console says so itself: its log can still be read. */
const ofNode: readonly BuiltPanelPage[] = ['files']

/**
 * Without its node a page of the node's turns grey and says why; it stays usable, because a file that is open in the
 * editor has text of the reader. The other pages do not need the node.
 */
const WithNode = ({ id, children }: { id: string; children: ReactNode }) => {
  const t = useTranslations('panel.nodeAway')
  const isAway = usePanelWord(useServer(id).data) === 'nodeoffline'
  return (
    <>
      <div role="status">
        {isAway ? (
          <Notice tone="wait" className="node-away-note">
            <b className="b">{t('title')}</b> {t('text')}
          </Notice>
        ) : null}
      </div>
      <div className={isAway ? 'node-away' : 'node-here'}>{children}</div>
    </>
  )
}

/** The page of the panel at this address; without a server it is the list of servers. */
export const PanelView = () => {
  const t = useTranslations('panel')
  const router = useRouter()
  const place = usePanelPlace()
  usePanelTitle()
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
  if (page === undefined) return <UnknownPanelPage />
  return ofNode.includes(page) ? <WithNode id={place.id}>{pages[page](place.id)}</WithNode> : pages[page](place.id)
}
