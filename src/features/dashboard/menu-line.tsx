'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { serversQuery } from '@/lib/queries/queries.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { usePagePath } from '@/lib/navigation/page-path.ts'
import { LineNav } from '@/ui/signs/line-nav.tsx'
import type { LinkComponent, LineStop } from '@/ui/signs/line-nav.tsx'
import { isOutside, isPanelEntry, panelEntries, standing, stopBesideBalance } from './entries.ts'
import type { Entry } from './entries.ts'
import { useEntryGroups } from './outside-links.tsx'

/** The blog is another part of the site: its scripts and styles are of no use to a page of the dashboard. */
const StopLink: LinkComponent = ({ href, children, ...rest }) => (
  <PageLink href={href} {...rest} {...(href === '/blog' ? { prefetch: false } : {})}>
    {children}
  </PageLink>
)

const useStops = () => {
  const t = useTranslations('dashboard.entries')
  const tc = useTranslations('common')
  const path = usePagePath()
  const servers = useQuery(serversQuery())
  const beside = stopBesideBalance(path)
  return (entry: Entry): LineStop => {
    const place = standing(entry.link, path)
    // If an entry's first page is a separate stop, that stop is marked instead.
    const hasOwnStop = entry.categories.some(({ link }) => link === entry.link)
    const isCurrent = !hasOwnStop && (place === 'current' || (place === 'open' && entry.categories.length === 0))
    const count = servers.data?.length ?? 0
    return {
      id: entry.id,
      label: t(entry.title),
      href: entry.link,
      current: isCurrent,
      open: place !== 'elsewhere',
      ...(isOutside(entry.link) ? { externalHint: tc('newTab') } : {}),
      ...(entry.id === 'servers' && count > 0 ? { meta: count } : {}),
      stops:
        place === 'elsewhere'
          ? []
          : [...entry.categories, ...(entry.id === 'balance' && beside ? [beside] : [])].map((sub) => ({
              id: sub.link,
              label: t(sub.title),
              href: sub.link,
              current: standing(sub.link, path) === 'current',
            })),
    }
  }
}

/** The dashboard's menu as a line. */
export const DashboardLine = () => {
  const t = useTranslations('dashboard')
  const groups = useEntryGroups()
  const toStop = useStops()
  return (
    <LineNav
      label={t('mainMenu')}
      link={StopLink}
      groups={groups.map((group) => ({
        id: group.id,
        ...(group.id === 'main' ? {} : { label: t(`groups.${group.id}`) }),
        stops: group.entries.map(toStop),
      }))}
    />
  )
}

/** The menu of one server, with the existing pages. */
export const PanelLine = ({ id }: { id: string }) => {
  const t = useTranslations('dashboard')
  const path = usePagePath()
  return (
    <LineNav
      label={t('panelMenu')}
      link={StopLink}
      groups={[
        {
          id: 'panel',
          stops: panelEntries(id).map((entry) => ({
            id: entry.id,
            label: t(`entries.${entry.title}`),
            href: entry.link,
            current: isPanelEntry(entry, path, id),
          })),
        },
      ]}
    />
  )
}
