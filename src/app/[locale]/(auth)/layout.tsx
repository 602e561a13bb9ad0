import type { ReactNode } from 'react'
import '@/ui/styles/auth-frame.css'
import { SiteBehaviour } from '@/features/content/components/site-behaviour.tsx'

const AuthLayout = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <SiteBehaviour />
  </>
)

export default AuthLayout
