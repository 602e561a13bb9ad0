import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { publishedNews } from '@/features/content/queries.ts'
import type { Locale } from '@/i18n/locales.ts'
import { formatDate } from '@/lib/format/date.ts'

export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }
const path = '/blog'

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const words = await getTranslations({ locale, namespace: 'site' })
  return pageMetadata({ locale, path, title: words('blogTitle'), description: words('blogLead') })
}

const BlogPage = async ({ params }: Props) => {
  const { locale } = await params
  setRequestLocale(locale)
  const [words, news] = await Promise.all([getTranslations('site'), publishedNews(locale)])
  return (
    <SiteFrame locale={locale} path={path} className="page frame">
      <h1 className="h1">{words('blogTitle')}</h1>
      <p className="lead">{words('blogLead')}</p>
      {news.length === 0 ? (
        <p className="page__empty">{words('blogEmpty')}</p>
      ) : (
        <ol className="page__news">
          {news.map((item) => (
            <li key={item.id} id={`news-${item.id}`}>
              <time dateTime={item.createdAt}>{formatDate(item.createdAt, locale)}</time>
              <div>
                <h2>{item.title}</h2>
                <p>{item.description}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </SiteFrame>
  )
}

export default BlogPage
