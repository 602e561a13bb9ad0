import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { GUIDE_TOPICS, guideTopicOf } from '#contracts/guides/topics.ts'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import { GuidesPage } from '@/features/guides/guides-page.tsx'

type TopicProps = { params: Promise<{ locale: string; topic: string }> }

export const generateStaticParams = () => GUIDE_TOPICS.map((topic) => ({ topic }))

export const generateMetadata = async ({ params }: TopicProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'guides' })
  const topic = guideTopicOf((await params).topic)
  return { title: topic === undefined ? t('title') : `${t(`topics.${topic}`)} · ${t('title')}` }
}

const Page = async ({ params }: TopicProps) => {
  const locale = await pageLocale(params)
  const topic = guideTopicOf((await params).topic)
  if (topic === undefined) notFound()
  return <GuidesPage locale={locale} topic={topic} />
}

export default Page
