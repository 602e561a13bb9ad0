import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { formatDate } from '@/lib/format/date.ts'
import { publishedNews } from '../queries.ts'

/** The news below the posts; the summary links to each. */
export const NewsSection = async ({ locale }: { locale: Locale }) => {
  const [t, news] = await Promise.all([getTranslations('blog'), publishedNews(locale)])
  if (news.length === 0) return null
  return (
    <section className="sec" id="news" aria-labelledby="news-title">
      <h2 className="station" id="news-title">
        <i className="halt" />
        {t('news')}
      </h2>
      <ol className="bl-news">
        {news.map((item) => (
          <li key={item.id} id={`news-${item.id}`}>
            <time dateTime={item.createdAt}>{formatDate(item.createdAt, locale, { style: 'day' })}</time>
            <div>
              <h3>{item.title}</h3>
              <p>{item.description}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
