'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { DepartureState } from '#contracts/http/privacy.ts'
import type { ProofRequest } from '#contracts/http/second-factor.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Checkbox } from '@/ui/controls/choice.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { ProofForm } from '../security/proof-form.tsx'
import { departureQuery, privacyCalls } from './use-privacy.ts'

/** Obstacles that a tick does not remove: they need an action or time first. */
const useObstacles = (state: DepartureState): string[] => {
  const t = useTranslations('privacy')
  const locale = useLocale()
  const open = state.openOrders + state.openPayments
  return [
    ...(state.isLastAdministrator ? [t('deletionLastAdministrator')] : []),
    ...(state.debtFt > 0 ? [t('deletionDebt', { amount: formatMoney(state.debtFt, locale) })] : []),
    ...(open > 0 ? [t('deletionOrders', { count: open })] : []),
    ...state.servers.filter(({ isRunning }) => isRunning).map(({ name }) => t('deletionRunning', { name })),
  ]
}

const Blocked = ({ obstacles }: { obstacles: readonly string[] }) => {
  const t = useTranslations('privacy')
  return (
    <Notice tone="wait">
      <p>{t('deletionBlocked')}</p>
      <ul>
        {obstacles.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Notice>
  )
}

type LeaveProps = { state: DepartureState; onCancel: () => void; onChanged: () => void }

const useLeaving = ({ state, onChanged }: LeaveProps) => {
  const [gives, setGives] = useState({ balance: false, servers: false })
  const [tried, setTried] = useState(false)
  const missing = {
    balance: state.balanceFt > 0 && !gives.balance,
    servers: state.servers.length > 0 && !gives.servers,
  }
  const leave = async (proof: ProofRequest) => {
    setTried(true)
    if (missing.balance || missing.servers) return
    try {
      await privacyCalls.deleteAccount({
        ...proof,
        ...(gives.balance ? { waiveBalanceFt: state.balanceFt } : {}),
        ...(gives.servers ? { giveUpServers: true } : {}),
      })
      window.location.assign('/auth/deletion?left=1')
    } catch (error) {
      // The account's contents have changed since they were read: they are shown again.
      if (error instanceof ApiFailure && error.status === 409) onChanged()
      throw error
    }
  }
  return { gives, setGives, missing: tried ? missing : { balance: false, servers: false }, leave }
}

const Leave = (props: LeaveProps) => {
  const t = useTranslations('privacy')
  const locale = useLocale()
  const me = useQuery(meQuery()).data
  const { state, onCancel } = props
  const { gives, setGives, missing, leave } = useLeaving(props)
  const names = state.servers.map(({ name }) => name).join(', ')
  return (
    <div className="stack-24">
      {state.balanceFt > 0 ? (
        <Checkbox
          checked={gives.balance}
          onChange={(event) => setGives({ ...gives, balance: event.currentTarget.checked })}
          error={missing.balance ? t('deletionTick') : undefined}
        >
          {t('deletionWaive', { amount: formatMoney(state.balanceFt, locale) })}
        </Checkbox>
      ) : null}
      {state.servers.length > 0 ? (
        <Checkbox
          checked={gives.servers}
          onChange={(event) => setGives({ ...gives, servers: event.currentTarget.checked })}
          error={missing.servers ? t('deletionTick') : undefined}
        >
          {t('deletionServers', { count: state.servers.length, names })}
        </Checkbox>
      ) : null}
      <ProofForm
        danger
        needsCode={me?.twoFactor ?? false}
        submit={t('deletionSubmit')}
        onProof={({ proof }) => leave(proof)}
        onCancel={onCancel}
      />
    </div>
  )
}

const Departure = ({ onCancel }: { onCancel: () => void }) => {
  const t = useTranslations('privacy')
  const tc = useTranslations('common')
  const query = useQuery(departureQuery())
  return (
    <Region query={query} skeleton={<SkeletonRows rows={4} label={tc('loading')} />} failed={t('deletionFailed')}>
      {(state) => <Decision state={state} onCancel={onCancel} onChanged={() => void query.refetch()} />}
    </Region>
  )
}

const Decision = (props: LeaveProps) => {
  const obstacles = useObstacles(props.state)
  return obstacles.length > 0 ? <Blocked obstacles={obstacles} /> : <Leave {...props} />
}

/** Deletes the account. The dialog shows the consequences, with amounts, before it asks for the password. */
export const DeletionPanel = () => {
  const t = useTranslations('privacy')
  const tc = useTranslations('common')
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Panel title={t('deletion')}>
      <div className="stack-24">
        <p className="t2">{t('deletionText')}</p>
        <div>
          <Button look="danger" onClick={() => setOpen(true)}>
            {t('deletionOpen')}
          </Button>
        </div>
      </div>
      <Dialog open={isOpen} onClose={close} title={t('deletion')} closeLabel={tc('close')}>
        <p className="t2 mb-3">{t('deletionText')}</p>
        <Departure onCancel={close} />
      </Dialog>
    </Panel>
  )
}
