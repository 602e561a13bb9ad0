import { DeletionPage } from '@/features/users/components/deletion-page.tsx'
import { authPage } from '../../auth-page.tsx'

export const revalidate = 3600

const page = authPage({
  path: '/auth/deletion',
  title: 'deletionTitle',
  description: 'deletionTitle',
  hidden: true,
  body: () => <DeletionPage />,
})

export const { generateMetadata } = page
export default page.Page
