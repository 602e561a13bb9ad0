'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { SECTIONS } from './sections.ts'
import { discordQuery, isDiscordShown } from './use-privacy.ts'
import './settings.css'

/** What a person sets about the account itself: one section below the other, and a menu that leads to each. */
export const SettingsPage = () => {
  const t = useTranslations('settings')
  const discord = useQuery(discordQuery()).data
  // Without an application of Discord there is nothing to link.
  const sections = SECTIONS.filter(({ id }) => id !== 'discord' || isDiscordShown(discord))
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <div className="settings">
        <nav className="settings-menu" aria-label={t('menu')}>
          <ul>
            {sections.map(({ id }) => (
              <li key={id}>
                <a href={`#${id}`}>{t(`sections.${id}`)}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="settings-parts">
          {sections.map(({ id, Section }) => (
            <div key={id} id={id} className="settings-part">
              <Section />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
