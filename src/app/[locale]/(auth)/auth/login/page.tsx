import { LoginForm } from '@/features/users/components/login-form.tsx'
import { authPage } from '../../auth-page.tsx'

export const revalidate = 3600

const page = authPage({
  path: '/auth/login',
  title: 'loginTitle',
  description: 'loginMeta',
  after: { question: 'noAccount', way: 'registerTitle', href: '/auth/register' },
  body: () => <LoginForm />,
})

export const { generateMetadata } = page
export default page.Page
