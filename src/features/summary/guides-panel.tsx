'use client'
import { LayoutGrid, Server, UserRound, Wallet } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { guidePath, GUIDE_TOPICS } from '#contracts/guides/topics.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'

const icons = { account: UserRound, balance: Wallet, servers: Server, services: LayoutGrid } as const

/** The topics of the guides, each with what it is about. */
export const GuidesPanel = (tools: PanelTools) => {
  const t = useTranslations('summary')
  const tg = useTranslations('guides')
  return (
    <Panel {...tools} title={tg('title')}>
      <ul className="sum-guides">
        {GUIDE_TOPICS.map((topic) => {
          const TopicIcon = icons[topic]
          return (
            <li key={topic}>
              <PageLink href={guidePath(topic)}>
                <TopicIcon className="i" size={18} aria-hidden />
                <b>{tg(`topics.${topic}`)}</b>
                <span>{t(`guides.${topic}`)}</span>
              </PageLink>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
