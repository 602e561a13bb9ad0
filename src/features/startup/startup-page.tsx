'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { FormEvent } from 'react'
import type { Server } from '#contracts/http/server.ts'
import type { ServerStartup } from '#contracts/http/panel/startup.ts'
import { ServerRegion } from '@/lib/servers/server-region.tsx'
import { useServer } from '@/lib/servers/use-server.ts'
import { useStatusChange } from '@/lib/servers/use-status-change.ts'
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
    <form noValidate autoComplete="off" onSubmit={submit}>
      <div className="su">
        <div className="su-main">
          <VariablesPanel form={form} />
        </div>
        <div className="su-side">
          <CommandPanel draft={form.draft} />
          {image === null ? null : <ImagePanel image={image} version={version} />}
        </div>
      </div>
      <SaveBar form={form} />
    </form>
  )
}

const Parts = ({ server }: { server: Server }) => {
  const t = useTranslations('startup')
  const place = useMemo(() => startupPlaceOf(server, Date.now()), [server])
  const query = useQuery(startupQuery(server.id))
  const phase = useTogether(query)
  const client = useQueryClient()
  // A start or an end of the program changes what waits for a restart.
  useStatusChange(server, () => void client.invalidateQueries({ queryKey: startupQuery(server.id).queryKey }))
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

/** The settings with which the server starts: variables, command and image. */
export const StartupPage = ({ id }: { id: string }) => {
  const t = useTranslations('startup')
  const query = useServer(id)
  return (
    <div className="page su-page">
      <header className="page-h">
        <h1>{t('title')}</h1>
        <p className="t2">{t('intro')}</p>
      </header>
      <ServerRegion
        query={query}
        gone={t('gone')}
        skeleton={<SkeletonRows rows={12} label={t('readingAll')} />}
        failed={t('failed')}
      >
        {(server) =>
          server.permissions.includes('startup.view') ? (
            <Parts key={server.id} server={server} />
          ) : (
            <EmptyState>{t('noView')}</EmptyState>
          )
        }
      </ServerRegion>
    </div>
  )
}
