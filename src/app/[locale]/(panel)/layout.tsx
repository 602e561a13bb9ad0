import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { RunwayNote } from '@/features/billing/runway-note.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { Shell } from '../shell.tsx'
import { PanelLive } from './panel-live.tsx'

export const metadata: Metadata = { robots: { index: false, follow: false } }

const PanelLayout = async ({ children, params }: LocaleProps & { children: ReactNode }) => (
  <Shell locale={await pageLocale(params)}>
    {(promos) => (
      <PanelLive note={<RunwayNote />} promos={promos}>
        {children}
      </PanelLive>
    )}
  </Shell>
)

export default PanelLayout
