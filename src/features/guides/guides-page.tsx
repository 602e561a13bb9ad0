import { LayoutGrid, Server, UserRound, Wallet } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import { guidePath, GUIDE_TOPICS, type GuideTopic } from '#contracts/guides/topics.ts'
import { RichTextView } from '@/cms/rich-text.tsx'
import type { Locale } from '@/i18n/locales.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { publishedGuides, type ShownGuide } from './published-guides.ts'
import './guides.css'

const icons = { account: UserRound, balance: Wallet, servers: Server, services: LayoutGrid } as const

type TopicProps = { readonly topic: GuideTopic }

const Topics = async ({ topic }: TopicProps) => {
  const t = await getTranslations('guides')
  return (
    <nav className="guide-topics" aria-label={t('menu')}>
      <ul>
        {GUIDE_TOPICS.map((each) => {
          const TopicIcon = icons[each]
          return (
            <li key={each}>
              <PageLink href={guidePath(each)} aria-current={each === topic ? 'page' : undefined}>
                <TopicIcon className="i" size={18} aria-hidden />
                {t(`topics.${each}`)}
              </PageLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const Contents = async ({ guides }: { guides: readonly ShownGuide[] }) => {
  const t = await getTranslations('guides')
  return (
    <nav className="guide-contents" aria-label={t('contents')}>
      <ol>
        {guides.map(({ slug, title }) => (
          <li key={slug}>
            <a href={`#${slug}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const GuideSection = ({ guide: { slug, title, summary, body } }: { guide: ShownGuide }) => (
  <article id={slug} className="guide" aria-labelledby={`${slug}-title`}>
    <h3 id={`${slug}-title`}>{title}</h3>
    <p className="guide__summary">{summary}</p>
    <RichTextView className="guide__text" body={body} heading="h4" />
  </article>
)

const Foot = async () => {
  const t = await getTranslations('guides')
  return (
    <p className="guide-foot">
      <span className="t2">{t('notFound')}</span>
      <PageLink className={buttonClass({})} href="/dashboard/ticket">
        {t('openTicket')}
      </PageLink>
    </p>
  )
}

/** The guides of one topic. They are part of the page itself, so nothing loads and nothing moves (decision 99). */
export const GuidesPage = async ({ locale, topic }: TopicProps & { locale: Locale }) => {
  const [t, guides] = await Promise.all([getTranslations('guides'), publishedGuides(topic, locale)])
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <Topics topic={topic} />
      <section className="guide-intro">
        <Drawing className="guide-intro__picture" group="guides" name={topic} width={320} />
        <div>
          <h2>{t(`topics.${topic}`)}</h2>
          <p className="t2">{t(`leads.${topic}`)}</p>
          {guides.length > 0 ? <Contents guides={guides} /> : null}
        </div>
      </section>
      {guides.length > 0 ? (
        <div className="guide-list">
          {guides.map((guide) => (
            <GuideSection key={guide.slug} guide={guide} />
          ))}
        </div>
      ) : (
        <EmptyState>{t('empty')}</EmptyState>
      )}
      <Foot />
    </div>
  )
}
