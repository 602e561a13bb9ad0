'use client'
import { useTranslations } from 'next-intl'
import type { GuideLink } from '#contracts/guides/guide-link.ts'
import { guidePath } from '#contracts/guides/topics.ts'
import { Icon } from '@/ui/signs/icon.tsx'

type GuidesProps = { readonly guides: readonly GuideLink[] }

/** Says how many guides fit, once for each number. Where they stand below the form, a link in a place of its own leads to them. */
export const GuidesHint = ({ guides, listId }: GuidesProps & { listId: string }) => {
  const t = useTranslations('guides.fits')
  const text = guides.length === 0 ? null : t('found', { count: guides.length })
  return (
    <>
      <div className="tk-guides-hint small">{text === null ? null : <a href={`#${listId}`}>{text}</a>}</div>
      <p className="vh" role="status">
        {text}
      </p>
    </>
  )
}

/** The guides that fit what is typed, each in a new tab, so that the form stays as it is. */
export const GuidesThatFit = ({ guides, id }: GuidesProps & { id: string }) => {
  const t = useTranslations('guides.fits')
  const tc = useTranslations('common')
  return (
    <div className="tk-guides-place">
      {guides.length === 0 ? null : (
        <section className="tk-guides" id={id} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`}>{t('title')}</h2>
          <ul>
            {guides.map(({ slug, topic, title, summary }) => (
              <li key={slug}>
                <a href={guidePath(topic, slug)} target="_blank" rel="noopener">
                  {title}
                  <Icon name="external" size={16} className="i" />
                  <span className="vh">{tc('newTab')}</span>
                </a>
                <p className="small t2">{summary}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
