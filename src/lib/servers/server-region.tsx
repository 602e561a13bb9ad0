'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { isNoServer, type useServer } from './use-server.ts'

/** A reader who has no such server is led back to the list. */
export const NoServer = ({ children }: { readonly children: string }) => {
  const t = useTranslations('panel')
  return (
    <EmptyState
      action={
        <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/servers">
          {t('back')}
        </PageLink>
      }
    >
      {children}
    </EmptyState>
  )
}

type ServerRegionProps = {
  readonly query: ReturnType<typeof useServer>
  /** The sentence for a reader who has no such server. */
  readonly gone: string
  /** In the final size of the loaded content. */
  readonly skeleton: ReactNode
  readonly failed: ReactNode
  readonly children: (server: Server) => ReactNode
}

/** The content of a panel page, or the way back for a reader who has no such server. */
export const ServerRegion = ({ query, gone, ...region }: ServerRegionProps) =>
  query.data === undefined && isNoServer(query.error) ? (
    <NoServer>{gone}</NoServer>
  ) : (
    <Region query={query} {...region} />
  )
