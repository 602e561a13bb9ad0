import { Logout } from '@/features/users/components/logout.tsx'
import { authPage } from '../../auth-page.tsx'

export const revalidate = 3600

const page = authPage({
  path: '/auth/logout',
  title: 'logoutTitle',
  description: 'logoutText',
  hidden: true,
  body: () => <Logout />,
})

export const { generateMetadata } = page
export default page.Page
