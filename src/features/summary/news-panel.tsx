'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { formatDate } from '@/lib/format/date.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'

export type NewsTitle = { readonly id: string; readonly title: string; readonly createdAt: string }

/** The newest news by title. They come with the page itself, so they neither load nor fail. */
export const NewsPanel = ({ news, ...tools }: PanelTools & { news: readonly NewsTitle[] }) => {
  const t = useTranslations('summary')
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (
    <Panel
      {...tools}
      title={t('panels.names.news')}
      {...(news.length === 0
        ? {}
        : {
            end: (
              <PageLink className="more" href="/blog">
                {t('news.all')}
              </PageLink>
            ),
          })}
    >
      {news.length === 0 ? (
        <p className="small t2 py-3">{t('news.empty')}</p>
      ) : (
        <ul className="rowlist sum-news">
          {news.map(({ id, title, createdAt }) => (
            <li key={id}>
              <time dateTime={createdAt} suppressHydrationWarning>
                {formatDate(createdAt, locale, { style: 'day', timeZone })}
              </time>
              <PageLink href={`/blog#news-${id}`} prefetch={false}>
                {title}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
