import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { RichTextView } from '@/cms/rich-text.tsx'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { legalDocuments } from '@/features/content/queries.ts'
import type { Locale } from '@/i18n/locales.ts'

export const revalidate = 3600

const names = ['privacy', 'terms'] as const
type Name = (typeof names)[number]
const isName = (value: string): value is Name => (names as readonly string[]).includes(value)

export const generateStaticParams = () => names.map((document) => ({ document }))

// Only these two exist; any other name is a 404 that nothing is stored for.
export const dynamicParams = false

type Props = { params: Promise<{ locale: Locale; document: string }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale, document } = await params
  if (!isName(document)) return {}
  const [words, documents] = await Promise.all([getTranslations({ locale, namespace: 'site' }), legalDocuments(locale)])
  const title = documents?.[document]?.title || words(document)
  return pageMetadata({ locale, path: `/documents/${document}`, title, description: title })
}

const DocumentPage = async ({ params }: Props) => {
  const { locale, document } = await params
  if (!isName(document)) notFound()
  setRequestLocale(locale)
  const [words, documents] = await Promise.all([getTranslations('site'), legalDocuments(locale)])
  const entry = documents?.[document]
  return (
    <SiteFrame locale={locale} path={`/documents/${document}`} className="page frame">
      <h1 className="h1">{entry?.title || words(document)}</h1>
      {entry?.body ? (
        <>
          <p className="t2">{words('version', { version: entry.version })}</p>
          <RichTextView className="prose" body={entry.body} />
        </>
      ) : (
        <p className="page__empty">{words('documentMissing')}</p>
      )}
    </SiteFrame>
  )
}

export default DocumentPage
