import type { Metadata } from 'next'
import { DocumentPage, documentMetadata } from '@/features/content/components/document-page.tsx'
import type { Locale } from '@/i18n/locales.ts'

export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> =>
  documentMetadata((await params).locale, 'terms')

const TermsPage = async ({ params }: Props) => <DocumentPage locale={(await params).locale} document="terms" />

export default TermsPage
