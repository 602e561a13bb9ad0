'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { WithdrawalOffer } from '#contracts/http/withdrawal.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { withdrawalsQuery } from '@/lib/queries/queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { useArrival } from '@/ui/screen/use-arrival.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useBegin, useConfirm } from './use-withdrawal.ts'
import { WithdrawalDialog, WithdrawalFailure } from './withdrawal-dialog.tsx'

type RowProps = { offer: WithdrawalOffer; isBusy: boolean; onBegin: () => void }

/** One contract with its last day, and the first of the two steps. */
const Row = ({ offer, isBusy, onBegin }: RowProps) => {
  const t = useTranslations('withdrawal')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const moment = (instant: string) => formatDate(instant, locale, { style: 'dateTime', timeZone })
  const name = t(`kinds.${offer.kind}`, { product: offer.product })
  return (
    <li>
      <div className="grow min-w-0">
        <b>{name}</b>
        <p className="t2">
          {t('concluded', { date: moment(offer.concludedAt) })} · {t('until', { date: moment(offer.deadline) })}
        </p>
        {offer.laterRenewalFirst ? <p>{t('laterFirst')}</p> : null}
      </div>
      {offer.laterRenewalFirst ? null : (
        <Button look="danger" busy={isBusy} onClick={onBegin} aria-label={`${t('withdraw')}: ${name}`}>
          {t('withdraw')}
        </Button>
      )}
    </li>
  )
}

/** Both steps and the last result. */
const useSteps = () => {
  const [offer, setOffer] = useState<WithdrawalOffer | null>(null)
  const begin = useBegin()
  const confirm = useConfirm()
  const start = (wanted: WithdrawalOffer) => {
    confirm.reset()
    begin.mutate(wanted, { onSuccess: setOffer })
  }
  const finish = () => {
    if (!offer) return
    const { kind, documentId, backFt: expectedBackFt } = offer
    const again = (failure: unknown) => {
      // A changed amount is shown before it can be confirmed.
      if (failure instanceof ApiFailure && failure.code === 'PRICE_CHANGED')
        begin.mutate(offer, { onSuccess: setOffer })
    }
    confirm.mutate({ kind, documentId, expectedBackFt }, { onSuccess: () => setOffer(null), onError: again })
  }
  const close = () => {
    setOffer(null)
    // A running confirmation ends the contract even without the dialog: the panel reports its result.
    if (!confirm.isSuccess && !confirm.isPending) confirm.reset()
  }
  return { offer, begin, confirm, start, finish, close }
}

type PanelProps = {
  /** Contracts of this server; without it those of premium. */
  serverId?: string
}

/** The withdrawal function of directive (EU) 2023/2673: contracts of the last 14 days, and two labelled steps. */
export const WithdrawalPanel = ({ serverId }: PanelProps) => {
  const t = useTranslations('withdrawal')
  const tc = useTranslations('common')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const failureText = useFailureText()
  const query = useQuery(withdrawalsQuery())
  const { offer, begin, confirm, start, finish, close } = useSteps()
  const ref = useArrival('withdrawal')
  const isMine = (each: WithdrawalOffer) =>
    serverId === undefined ? each.kind === 'premium' : each.serverId === serverId
  const done = confirm.data
  return (
    <div id="withdrawal" ref={ref}>
      <Panel title={t('title')}>
        <p className="my-3">{t('text')}</p>
        <div role="status">
          {done ? (
            <Notice tone="go" className="my-3">
              {t('done', {
                date: formatDate(done.confirmedAt, locale, { style: 'dateTime', timeZone }),
                price: formatMoney(done.backFt, locale),
              })}
            </Notice>
          ) : null}
        </div>
        {offer === null && confirm.error !== null ? <WithdrawalFailure failure={confirm.error} /> : null}
        {begin.error === null ? null : (
          <Notice tone="stop" role="alert" className="my-3">
            {failureText(begin.error)}
          </Notice>
        )}
        <Region query={query} skeleton={<SkeletonRows rows={2} label={tc('loading')} />} failed={t('failed')}>
          {({ items }) => {
            const mine = items.filter(isMine)
            if (mine.length === 0) return <p className="t2">{t('none')}</p>
            return (
              <ul className="contracts">
                {mine.map((each) => (
                  <Row
                    key={each.documentId}
                    offer={each}
                    isBusy={confirm.isPending || (begin.isPending && begin.variables.documentId === each.documentId)}
                    onBegin={() => start(each)}
                  />
                ))}
              </ul>
            )
          }}
        </Region>
        <WithdrawalDialog
          offer={offer}
          isBusy={confirm.isPending}
          failure={confirm.error}
          onClose={close}
          onConfirm={finish}
        />
      </Panel>
    </div>
  )
}
