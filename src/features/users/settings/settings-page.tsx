'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { SECTIONS } from './sections.ts'
import { discordQuery, isDiscordShown } from './use-privacy.ts'
import './settings.css'

/** The settings of the account: sections below one another, and a menu with a link to each. */
export const SettingsPage = () => {
  const t = useTranslations('settings')
  const discord = useQuery(discordQuery()).data
  // Without a Discord application there is nothing to link.
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
