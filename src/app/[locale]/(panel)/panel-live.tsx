'use client'
import type { ReactNode } from 'react'
import { SeeingBanner } from '@/features/collaborators/seeing-banner.tsx'
import { PanelConsole, usePanelWord } from '@/features/console/panel-console.tsx'
import { PanelFrame } from '@/features/dashboard/panel-frame.tsx'
import { usePanelPlace } from '@/features/dashboard/panel-path.ts'
import { useServer } from '@/lib/servers/use-server.ts'

type PanelLiveProps = { note: ReactNode; promos: ReactNode; children: ReactNode }

const LiveFrame = ({ id, children, ...rest }: PanelLiveProps & { id: string | undefined }) => (
  <PanelFrame id={id} word={usePanelWord(useServer(id).data)} {...rest}>
    <SeeingBanner />
    {children}
  </PanelFrame>
)

/** Around all pages of the panel: the link of the server in the address outlives each of them. */
export const PanelLive = (props: PanelLiveProps) => {
  const place = usePanelPlace()
  const id = place === 'reading' ? undefined : place?.id
  return (
    <PanelConsole serverId={id}>
      <LiveFrame id={id} {...props} />
    </PanelConsole>
  )
}
