import { VerifyForm } from '@/features/users/components/verify-form.tsx'
import { authPage } from '../../auth-page.tsx'

export const revalidate = 3600

const page = authPage({
  path: '/auth/verify',
  title: 'verifyTitle',
  description: 'verifyMeta',
  hidden: true,
  body: () => <VerifyForm />,
})

export const { generateMetadata } = page
export default page.Page
