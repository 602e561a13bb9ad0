'use client'
import { useLocale, useTranslations } from 'next-intl'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import { formatCount } from '@/lib/format/money.ts'
import { LinkLine } from './connection-dialog.tsx'
import type { ClockChoice } from './log/log-clock.ts'
import type { PanelLinkState } from './panel-link.ts'

type ConsoleFootProps = {
  link: PanelLinkState
  choice: ClockChoice
  zone: string
  onChoice: (choice: ClockChoice) => void
}

/** The link, the time zone of the log, and how much of it is held. */
export const ConsoleFoot = ({ link, choice, zone, onChoice }: ConsoleFootProps) => {
  const t = useTranslations('console')
  const locale = useLocale()
  return (
    <div className="con-foot" data-live={link.kind === 'live'}>
      <LinkLine link={link} />
      <button
        type="button"
        className="text-btn"
        aria-pressed={choice === 'mine'}
        onClick={() => onChoice(choice === 'mine' ? 'server' : 'mine')}
      >
        {t(choice === 'mine' ? 'clock.mine' : 'clock.server', { zone: zone.replaceAll('_', ' ') })}
      </button>
      <span className="only-desk">{t('kept', { count: formatCount(PANEL_LIMITS.linesShown, locale) })}</span>
    </div>
  )
}
