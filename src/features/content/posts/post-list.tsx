import { getTranslations } from 'next-intl/server'
import { postPath } from '#contracts/posts/posts.ts'
import { monthsOf } from '#domain/content/posts.ts'
import { siteTimeZone, type Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { formatDate } from '@/lib/format/date.ts'
import { PostCover } from './post-cover.tsx'
import type { PostLine } from './post-view.ts'

type Line = { readonly post: PostLine; readonly locale: Locale }

/** The newest post, with its cover. */
export const LeadPost = async ({ post, locale }: Line) => {
  const t = await getTranslations('blog')
  return (
    <article className="frame">
      <a className="bl-lead" href={localePath(locale, postPath(post.slug))}>
        <div className="bl-lead__fig">
          <PostCover post={post} />
        </div>
        <div className="bl-lead__t">
          <p className="bl-meta">
            <time dateTime={post.publishedAt}>{formatDate(post.publishedAt, locale)}</time>
            <span>{t('minutes', { count: post.minutes })}</span>
          </p>
          <h2 className="h2">{post.title}</h2>
          <p className="t2">{post.lead}</p>
        </div>
      </a>
    </article>
  )
}

/** Posts as rows. */
export const PostRows = async ({ posts, locale }: { posts: readonly PostLine[]; locale: Locale }) => {
  const t = await getTranslations('blog')
  return (
    <ul className="bl-list">
      {posts.map((post) => (
        <li key={post.id}>
          <a href={localePath(locale, postPath(post.slug))}>
            <time dateTime={post.publishedAt}>{formatDate(post.publishedAt, locale, { style: 'day' })}</time>
            <div>
              <h3>{post.title}</h3>
              <p>{post.lead}</p>
            </div>
            <span className="bl-min">{t('minutes', { count: post.minutes })}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Posts by month: each month is a stop of the page's line. */
export const PostMonths = ({ posts, locale }: { posts: readonly PostLine[]; locale: Locale }) =>
  monthsOf(posts, siteTimeZone).map(({ month, posts: ofMonth }) => (
    <section key={month} className="sec" aria-labelledby={`month-${month}`}>
      <h2 className="station" id={`month-${month}`}>
        <i className="halt" />
        {formatDate(`${month}-15T12:00:00Z`, locale, { style: 'month' })}
      </h2>
      <PostRows posts={ofMonth} locale={locale} />
    </section>
  ))
