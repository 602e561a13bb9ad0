import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { RichTextView } from '@/cms/rich-text.tsx'
import type { Locale } from '@/i18n/locales.ts'
import { pageMetadata } from '../page-metadata.ts'
import { legalDocuments } from '../queries.ts'
import { SiteFrame } from './site-frame.tsx'

export type DocumentName = 'privacy' | 'terms'

export const documentMetadata = async (locale: Locale, document: DocumentName): Promise<Metadata> => {
  const [words, documents] = await Promise.all([getTranslations({ locale, namespace: 'site' }), legalDocuments(locale)])
  const title = documents?.[document]?.title || words(document)
  return pageMetadata({ locale, path: `/documents/${document}`, title, description: title })
}

/** A legal document as published by staff, with its version. */
export const DocumentPage = async ({ locale, document }: { locale: Locale; document: DocumentName }) => {
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
