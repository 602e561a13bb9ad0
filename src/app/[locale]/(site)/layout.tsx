import type { ReactNode } from 'react'
import '@/ui/landing.css'
import '@/ui/landing-demo.css'
import '@/ui/site-frame.css'
import '@/ui/page.css'
import { SiteBehaviour } from '@/features/content/components/site-behaviour.tsx'

const SiteLayout = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <SiteBehaviour />
  </>
)

export default SiteLayout
