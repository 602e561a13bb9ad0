import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { POST_TAGS, tagPath, type PostTag } from '#contracts/posts/posts.ts'
import type { LanguagePaths } from '@/features/content/components/language-links.tsx'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import type { Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { LeadPost, PostMonths } from './post-list.tsx'
import type { PostPage } from './read-posts.ts'
import './posts.css'

/** The feeds of the blog, for the head of its pages. */
export const blogFeeds = {
  'application/rss+xml': '/blog/feed.xml',
  'application/feed+json': '/blog/feed.json',
} as const

export const pagePath = (page: number): string => (page <= 1 ? '/blog' : `/blog/page/${page}`)

const Tags = async ({ locale, current }: { locale: Locale; current: PostTag | null }) => {
  const t = await getTranslations('blog')
  const links = [
    { href: '/blog', title: t('allTags'), isCurrent: current === null },
    ...POST_TAGS.map((tag) => ({ href: tagPath(tag), title: t(`tags.${tag}`), isCurrent: tag === current })),
  ]
  return (
    <nav className="bl-tags" aria-label={t('tagsLabel')}>
      <ul>
        {links.map(({ href, title, isCurrent }) => (
          <li key={href}>
            <a href={localePath(locale, href)} aria-current={isCurrent ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Pager = async ({ locale, page, pages }: { locale: Locale; page: number; pages: number }) => {
  const t = await getTranslations('blog')
  return (
    <nav className="sec sec--end bl-pager" aria-label={t('paging')}>
      <p className="station">
        <i className="halt" />
        {t('pageOf', { page, pages })}
      </p>
      <div className="btns">
        {page > 1 ? (
          <a className={buttonClass({ size: 'l' })} href={localePath(locale, pagePath(page - 1))} rel="prev">
            <Icon name="back" size={20} />
            {t('newer')}
          </a>
        ) : null}
        {page < pages ? (
          <a className={buttonClass({ size: 'l' })} href={localePath(locale, pagePath(page + 1))} rel="next">
            {t('older')}
            <Icon name="forward" size={20} />
          </a>
        ) : null}
      </div>
    </nav>
  )
}

type BlogProps = {
  readonly locale: Locale
  readonly path: string
  readonly languages?: LanguagePaths
  readonly found: PostPage
  readonly page: number
  readonly tag?: PostTag
  /** Further sections, such as the news. */
  readonly children?: ReactNode
}

/** A page of the blog: the newest post with its cover, then the months as stops of the line. */
export const BlogPage = async ({ locale, path, languages, found, page, tag, children }: BlogProps) => {
  const t = await getTranslations('blog')
  const [first, ...rest] = found.posts
  const leads = page === 1 && tag === undefined
  return (
    <SiteFrame locale={locale} path={path} languages={languages}>
      <header className="bl-head frame">
        <h1 className="h1">{tag === undefined ? t('title') : t(`tags.${tag}`)}</h1>
        <p className="lead">{t('lead')}</p>
        <p className="bl-links">
          <a className="link" href={localePath(locale, '/changes')}>
            {t('changes')}
          </a>
          <a className="link" href={localePath(locale, '/blog/feed.xml')}>
            RSS
          </a>
        </p>
        <Tags locale={locale} current={tag ?? null} />
      </header>
      {first === undefined ? (
        <p className="bl-empty frame">{t('empty')}</p>
      ) : leads ? (
        <LeadPost post={first} locale={locale} />
      ) : null}
      <div className="route frame bl-route">
        <PostMonths posts={leads ? rest : found.posts} locale={locale} />
        {found.pages > 1 && tag === undefined ? <Pager locale={locale} page={page} pages={found.pages} /> : null}
        {found.pages > 1 && tag !== undefined ? (
          <p>
            <a className="link" href={localePath(locale, '/blog')}>
              {t('all')}
            </a>
          </p>
        ) : null}
        {children}
      </div>
    </SiteFrame>
  )
}
