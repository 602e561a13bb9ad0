'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { balanceQuery } from '@/lib/queries/queries.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { StepLine } from '@/ui/signs/step-line.tsx'

/** For a reader without a server: the steps to the first one as a line, with one button. */
export const FirstRun = () => {
  const t = useTranslations('summary.first')
  const balanceFt = useQuery(balanceQuery()).data?.balanceFt ?? 0
  const hasMoney = balanceFt > 0
  return (
    <section className="first" aria-label={t('title')}>
      <StepLine
        steps={[
          { id: 'account', state: 'done', children: <Stop title={t('account')} text={t('accountText')} /> },
          {
            id: 'topup',
            state: hasMoney ? 'done' : 'current',
            children: <Stop title={t('topup')} text={t('topupText')} />,
          },
          {
            id: 'rent',
            state: hasMoney ? 'current' : 'ahead',
            children: <Stop title={t('rent')} text={t('rentText')} />,
          },
          { id: 'play', state: 'ahead', children: <Stop title={t('play')} text={t('playText')} /> },
        ]}
      />
      <div className="btns">
        <PageLink
          className={buttonClass({ look: 'primary', size: 'l' })}
          href={hasMoney ? '/dashboard/services/game' : '/dashboard/balance/summary'}
        >
          {t(hasMoney ? 'toRent' : 'toTopup')}
        </PageLink>
        {hasMoney ? null : (
          <PageLink className={buttonClass({ size: 'l' })} href="/dashboard/services/game">
            {t('look')}
          </PageLink>
        )}
      </div>
    </section>
  )
}

const Stop = ({ title, text }: { title: string; text: string }) => (
  <div className="first-stop">
    <b>{title}</b>
    <span className="t2 small">{text}</span>
  </div>
)
