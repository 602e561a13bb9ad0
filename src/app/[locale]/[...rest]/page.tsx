import type { Metadata } from 'next'
import { NotFoundView } from '@/features/content/components/not-found-view.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

// Rendered on demand and never cached: anyone can invent any number of addresses.
export const dynamic = 'force-dynamic'

export const metadata: Metadata = { title: '404', robots: { index: false } }

/**
 * The framework's own notFound() sends an empty document that scripts fill. This page is complete without them, and the
 * site's listener sets its status 404.
 */
const UnknownPage = async ({ params }: LocaleProps) => <NotFoundView locale={await pageLocale(params)} />

export default UnknownPage
