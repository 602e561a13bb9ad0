import type { ReactNode } from 'react'
import '@/ui/styles/landing.css'
import '@/ui/styles/landing-demo.css'
import '@/ui/styles/page.css'
import { SiteBehaviour } from '@/features/content/components/site-behaviour.tsx'

const SiteLayout = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <SiteBehaviour />
  </>
)

export default SiteLayout
