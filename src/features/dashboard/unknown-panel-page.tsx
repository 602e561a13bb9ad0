'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { serversQuery } from '@/lib/queries/queries.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { usePanelPlace } from './panel-path.ts'

/**
 * A place of a panel that does not exist: its status is 404. It stays open, unlike an unknown page of the dashboard,
 * because the server's menu is beside it.
 */
export const UnknownPanelPage = () => {
  const t = useTranslations('panel.unknown')
  const place = usePanelPlace()
  const id = place === 'reading' ? undefined : place?.id
  const server = useQuery(serversQuery()).data?.find((each) => each.id === id)
  return (
    <div className="page" data-status="404">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <EmptyState
        picture={<Drawing group="empty" name="nothing-found" width={320} />}
        action={
          <PageLink
            className={buttonClass({ look: 'primary' })}
            href={server === undefined ? '/dashboard/servers' : `/panel/${server.id}/console`}
          >
            {t(server === undefined ? 'toServers' : 'toConsole')}
          </PageLink>
        }
      >
        {t('text')}
      </EmptyState>
    </div>
  )
}
