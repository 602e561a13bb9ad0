import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { RunwayNote } from '@/features/billing/runway-note.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { PanelFrame } from '@/features/dashboard/panel-frame.tsx'
import { Shell } from '../shell.tsx'

export const metadata: Metadata = { robots: { index: false, follow: false } }

const PanelLayout = async ({ children, params }: LocaleProps & { children: ReactNode }) => (
  <Shell locale={await pageLocale(params)}>
    {(promos) => (
      <PanelFrame note={<RunwayNote />} promos={promos}>
        {children}
      </PanelFrame>
    )}
  </Shell>
)

export default PanelLayout
