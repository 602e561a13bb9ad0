import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { PostMonths } from '@/features/content/posts/post-list.tsx'
import { postPage } from '@/features/content/posts/read-posts.ts'
import '@/features/content/posts/posts.css'
import type { Locale } from '@/i18n/locales.ts'

export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }
const path = '/changes'

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const t = await getTranslations({ locale, namespace: 'blog' })
  return pageMetadata({ locale, path, title: t('changes'), description: t('changesLead') })
}

/** The public list of changes: the newest hundred posts of that kind. */
const Page = async ({ params }: Props) => {
  const { locale } = await params
  setRequestLocale(locale)
  const [t, { posts }] = await Promise.all([
    getTranslations('blog'),
    postPage(locale, { kind: 'change', page: 1, limit: 100 }),
  ])
  return (
    <SiteFrame locale={locale} path={path}>
      <header className="bl-head frame">
        <h1 className="h1">{t('changes')}</h1>
        <p className="lead">{t('changesLead')}</p>
      </header>
      {posts.length === 0 ? <p className="bl-empty frame">{t('changesEmpty')}</p> : null}
      <div className="route frame bl-route">
        <PostMonths posts={posts} locale={locale} />
      </div>
    </SiteFrame>
  )
}

export default Page
