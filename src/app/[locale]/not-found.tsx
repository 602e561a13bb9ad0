import type { Metadata } from 'next'
import { getLocale } from 'next-intl/server'
import { NotFoundView } from '@/features/content/components/not-found-view.tsx'

export const metadata: Metadata = { title: '404', robots: { index: false } }

const NotFoundPage = async () => <NotFoundView locale={await getLocale()} />

export default NotFoundPage
