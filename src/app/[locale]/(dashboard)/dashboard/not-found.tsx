import { UnknownPage } from '@/features/dashboard/unknown-page.tsx'

const NotFound = () => <UnknownPage />

export default NotFound
