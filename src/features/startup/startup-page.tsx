'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useMemo } from 'react'
import type { FormEvent } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerStartup } from '#contracts/http/panel/startup.ts'
import { isNoServer, useServer } from '@/lib/servers/use-server.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { CommandPanel } from './command-panel.tsx'
import { ImagePanel } from './image-panel.tsx'
import { SaveBar } from './save-bar.tsx'
import { StartupContext, startupPlaceOf } from './startup-context.tsx'
import { startupQuery } from './startup-queries.ts'
import { useStartupDraft } from './use-startup-draft.ts'
import { VariablesPanel } from './variables-panel.tsx'

const Settings = ({ server, startup }: { server: Server; startup: ServerStartup }) => {
  const form = useStartupDraft(server.id, startup)
  const { image, version } = form.draft.base
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    form.save()
  }
  return (
    <form className="su" noValidate autoComplete="off" onSubmit={submit}>
      <div className="su-main">
        <VariablesPanel form={form} />
      </div>
      <div className="su-side">
        <CommandPanel draft={form.draft} />
        {image === null ? null : <ImagePanel image={image} version={version} />}
      </div>
      <SaveBar form={form} />
    </form>
  )
}

/** A start or an end of the program changes what waits for a restart. */
const useFreshOnPower = (server: Server) => {
  const client = useQueryClient()
  const { id, status } = server
  useEffect(() => {
    void client.invalidateQueries({ queryKey: startupQuery(id).queryKey })
  }, [client, id, status])
}

const Parts = ({ server }: { server: Server }) => {
  const t = useTranslations('startup')
  const place = useMemo(() => startupPlaceOf(server, Date.now()), [server])
  const query = useQuery(startupQuery(server.id))
  const phase = useTogether(query)
  useFreshOnPower(server)
  return (
    <StartupContext value={place}>
      <Together phase={phase} reading={t('readingAll')}>
        <Region query={query} skeleton={<SkeletonRows rows={12} />} failed={t('failed')}>
          {(startup) => <Settings server={server} startup={startup} />}
        </Region>
      </Together>
    </StartupContext>
  )
}

/** What the server starts with: variables, command and image. */
export const StartupPage = ({ id }: { id: string }) => {
  const t = useTranslations('startup')
  const tp = useTranslations('panel')
  const query = useServer(id)
  const isGone = query.data === undefined && isNoServer(query.error)
  return (
    <div className="page su-page">
      <header className="page-h">
        <h1>{t('title')}</h1>
        <p className="t2">{t('intro')}</p>
      </header>
      {isGone ? (
        <EmptyState
          action={
            <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/servers">
              {tp('back')}
            </PageLink>
          }
        >
          {t('gone')}
        </EmptyState>
      ) : (
        <Region query={query} skeleton={<SkeletonRows rows={12} label={t('readingAll')} />} failed={t('failed')}>
          {(server) =>
            server.permissions.includes('startup.view') ? (
              <Parts key={server.id} server={server} />
            ) : (
              <EmptyState>{t('noView')}</EmptyState>
            )
          }
        </Region>
      )}
    </div>
  )
}
