'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { usePagePath } from '@/lib/navigation/page-path.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { sectionElsewhere, TABS } from './tabs.ts'
import type { SectionId, TabId } from './tabs.ts'

/** Once all sections were on one page: an old link names a section that is now on another tab. */
const useSectionOfAddress = () => {
  const path = usePagePath()
  const router = useRouter()
  useEffect(() => {
    const follow = () => {
      const there = sectionElsewhere(path, window.location.hash.slice(1))
      if (there !== null) router.replace(there)
    }
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [path, router])
}

/** One section; its id is its anchor. */
export const SettingsPart = ({ id, children }: { id: SectionId; children: ReactNode }) => (
  <div id={id} className="settings-part">
    {children}
  </div>
)

/** A page of the settings: the menu of all of them, and the sections of this one. */
export const SettingsPage = ({ tab, children }: { tab: TabId; children: ReactNode }) => {
  const t = useTranslations('settings')
  useSectionOfAddress()
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <div className="settings">
        <nav className="settings-menu" aria-label={t('menu')}>
          <ul>
            {TABS.map(({ id, path }) => (
              <li key={id}>
                <PageLink href={path} aria-current={id === tab ? 'page' : undefined}>
                  {t(`tabs.${id}`)}
                </PageLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="settings-parts">{children}</div>
      </div>
    </div>
  )
}
