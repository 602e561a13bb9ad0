import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { postPath, tagPath } from '#contracts/posts/posts.ts'
import type { LanguagePaths } from '@/features/content/components/language-links.tsx'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import type { Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import { blogFeeds } from './blog-page.tsx'
import { type Content, contentsOf, PostBody } from './post-body.tsx'
import { PostCover } from './post-cover.tsx'
import { PostData } from './post-data.tsx'
import { PostRows } from './post-list.tsx'
import type { Post } from './post-view.ts'
import './posts.css'

type PostProps = { readonly locale: Locale; readonly post: Post }

const home = ({ kind }: Post) => (kind === 'change' ? '/changes' : '/blog')

/** Title, address and the languages in which the post is written. */
export const postMetadata = (locale: Locale, post: Post): Metadata =>
  pageMetadata({
    locale,
    path: postPath(post.slug),
    title: post.metaTitle || post.title,
    description: post.metaDescription || post.lead,
    languages: Object.fromEntries(Object.entries(post.slugs).map(([one, slug]) => [one, postPath(slug)])),
    feeds: blogFeeds,
  })

/** The post in each language, or the list of posts where it is not written. */
const languagesOf = (post: Post): LanguagePaths => {
  const pathOf = (locale: Locale) => {
    const slug = post.slugs[locale]
    return localePath(locale, slug === undefined ? home(post) : postPath(slug))
  }
  return { en: pathOf('en'), hu: pathOf('hu'), de: pathOf('de') }
}

const Contents = ({ contents }: { contents: readonly Content[] }) => (
  <ol>
    {contents.map(({ id, title }) => (
      <li key={id}>
        <a href={`#${id}`}>
          <i className="halt" />
          {title}
        </a>
      </li>
    ))}
  </ol>
)

const Head = async ({ locale, post }: PostProps) => {
  const t = await getTranslations('blog')
  return (
    <header className="post__head">
      <a className="post__back" href={localePath(locale, home(post))}>
        <Icon name="back" size={20} />
        {t(post.kind === 'change' ? 'changes' : 'title')}
      </a>
      <h1 className="post__h1">{post.title}</h1>
      <p className="bl-meta">
        <time dateTime={post.publishedAt}>{formatDate(post.publishedAt, locale)}</time>
        {post.isUpdated ? <span>{t('updated', { date: formatDate(post.updatedAt, locale) })}</span> : null}
        <span>{t('minutesOfReading', { count: post.minutes })}</span>
        {post.author === '' ? null : <span>{post.author}</span>}
      </p>
      {post.tags.length === 0 ? null : (
        <ul className="post__tags" aria-label={t('tagsLabel')}>
          {post.tags.map((tag) => (
            <li key={tag}>
              <a href={localePath(locale, tagPath(tag))}>{t(`tags.${tag}`)}</a>
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}

const Further = async ({ locale, post }: PostProps) => {
  const t = await getTranslations('blog')
  const last = { path: home(post), title: t(post.kind === 'change' ? 'allChanges' : 'all') }
  return (
    <nav className="post__next" aria-label={t('further')}>
      {post.older === null ? null : (
        <a href={localePath(locale, postPath(post.older.slug))} rel="prev">
          <span>{t('previous')}</span>
          <b>{post.older.title}</b>
        </a>
      )}
      {post.newer === null ? (
        <a href={localePath(locale, last.path)}>
          <span>{t('toList')}</span>
          <b>{last.title}</b>
        </a>
      ) : (
        <a href={localePath(locale, postPath(post.newer.slug))} rel="next">
          <span>{t('next')}</span>
          <b>{post.newer.title}</b>
        </a>
      )}
    </nav>
  )
}

/** A post with its contents, its text, and where to read on. */
export const PostPage = async ({ locale, post }: PostProps) => {
  const [t, common] = await Promise.all([getTranslations('blog'), getTranslations('common')])
  const contents = contentsOf(post.body)
  const copying = { copy: common('copy'), copied: common('copied'), copyFailed: common('copyFailed') }
  const words = { ...copying, code: t('code'), note: t('note'), table: t('table') }
  return (
    <SiteFrame locale={locale} path={postPath(post.slug)} languages={languagesOf(post)} className="post frame">
      <Head locale={locale} post={post} />
      {contents.length > 1 ? (
        <>
          <div className="post__side">
            <nav className="toc" aria-label={t('contents')}>
              <Contents contents={contents} />
            </nav>
          </div>
          <details className="tocm">
            <summary>
              {t('contents')}
              <Icon name="down" size={16} />
            </summary>
            <Contents contents={contents} />
          </details>
        </>
      ) : null}
      <article className="post__body">
        <PostCover className="post__cover wide" post={post} />
        <p className="post__intro">{post.lead}</p>
        <PostBody body={post.body} pictures={post.pictures} words={words} />
        <Further locale={locale} post={post} />
        {post.related.length === 0 ? null : (
          <section className="post__related wide" aria-labelledby="related-posts">
            <h2 id="related-posts">{t('related')}</h2>
            <PostRows posts={post.related} locale={locale} />
          </section>
        )}
      </article>
      <PostData locale={locale} post={post} />
    </SiteFrame>
  )
}
