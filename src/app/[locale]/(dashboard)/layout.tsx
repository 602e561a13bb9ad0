import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { RunwayNote } from '@/features/billing/runway-note.tsx'
import { AppFrame } from '@/features/dashboard/app-frame.tsx'
import { DashboardLine } from '@/features/dashboard/menu-line.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { Shell } from '../shell.tsx'

export const metadata: Metadata = { robots: { index: false, follow: false } }

const DashboardLayout = async ({ children, params }: LocaleProps & { children: ReactNode }) => (
  <Shell locale={await pageLocale(params)}>
    {(promos) => (
      <AppFrame line={<DashboardLine />} note={<RunwayNote />} promos={promos}>
        {children}
      </AppFrame>
    )}
  </Shell>
)

export default DashboardLayout
