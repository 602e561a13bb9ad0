import { PasswordReset } from '@/features/users/components/password-reset.tsx'
import { authPage } from '../../auth-page.tsx'

export const revalidate = 3600

const page = authPage({
  path: '/auth/passwordreset',
  title: 'resetTitle',
  description: 'resetMeta',
  hidden: true,
  body: () => <PasswordReset />,
})

export const { generateMetadata } = page
export default page.Page
