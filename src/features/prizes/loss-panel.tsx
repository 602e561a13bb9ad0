'use client'
import { useTranslations } from 'next-intl'
import type { PremiumLoss } from '#contracts/http/premium.ts'
import { Panel } from '@/ui/surfaces/panel.tsx'

/** The benefits that shrink when the tier ends, with the reader's servers above the new limit. */
export const LossPanel = ({ losses }: { losses: readonly PremiumLoss[] }) => {
  const t = useTranslations('premium')
  return (
    <Panel title={t('losses.title')} className="mt-6">
      <ul className="losses">
        {losses.map((loss) => (
          <li key={loss.benefit}>
            <b>{t('losses.line', { benefit: t(loss.benefit), from: loss.from, to: loss.to })}</b>
            {loss.above.map((server) => (
              <span key={server.serverId} className="t2">
                {t('losses.above', { name: server.name, count: server.count, excess: server.excess })}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <p className="help mt-3">{t('losses.help')}</p>
    </Panel>
  )
}
