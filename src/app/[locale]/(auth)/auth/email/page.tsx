import { EmailLink } from '@/features/users/components/email-link.tsx'
import { authPage } from '../../auth-page.tsx'

export const revalidate = 3600

const page = authPage({
  path: '/auth/email',
  title: 'emailTitle',
  description: 'emailTitle',
  hidden: true,
  body: () => <EmailLink />,
})

export const { generateMetadata } = page
export default page.Page
