'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import * as z from 'zod'
import type { DepartureState } from '#contracts/http/privacy.ts'
import { ProofRequest } from '#contracts/http/second-factor.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { typedText } from '@/lib/forms/typed-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Checkbox } from '@/ui/controls/choice.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { ProofFrame } from '../security/proof-frame.tsx'
import { refusedFields } from '../security/refused-fields.ts'
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

const FIELDS = ['balance', 'servers', 'password', 'code'] as const

/** The ticks and the proof. A tick is required where there is something to lose. */
const leavingForm = ({ balanceFt, servers }: DepartureState) =>
  ProofRequest.extend({
    balance: balanceFt > 0 ? z.literal(true) : z.boolean(),
    servers: servers.length > 0 ? z.literal(true) : z.boolean(),
  })

const useLeaving = ({ state, onChanged }: LeaveProps) =>
  useApiForm({
    schema: leavingForm(state),
    defaultValues: { balance: false, servers: false, password: '' },
    fields: FIELDS,
    send: async ({ balance, servers, ...proof }) => {
      try {
        await privacyCalls.deleteAccount({
          ...proof,
          ...(balance ? { waiveBalanceFt: state.balanceFt } : {}),
          ...(servers ? { giveUpServers: true } : {}),
        })
      } catch (error) {
        // The account's contents have changed since they were read: they are shown again.
        if (error instanceof ApiFailure && error.status === 409) onChanged()
        throw error
      }
    },
    refusedIn: (failure) => refusedFields(failure, 'password'),
    onDone: () => window.location.assign('/auth/deletion?left=1'),
  })

const Leave = (props: LeaveProps) => {
  const t = useTranslations('privacy')
  const locale = useLocale()
  const me = useQuery(meQuery()).data
  const { state, onCancel } = props
  const { form, submit, failure, isBusy, errorOf } = useLeaving(props)
  const { register } = form
  const tick = (name: 'balance' | 'servers') => ({
    ...register(name),
    error: errorOf(name) === undefined ? undefined : t('deletionTick'),
  })
  const names = state.servers.map(({ name }) => name).join(', ')
  return (
    <ProofFrame
      danger
      onSubmit={submit}
      failure={failure}
      isBusy={isBusy}
      submit={t('deletionSubmit')}
      onCancel={onCancel}
      password={{ error: errorOf('password'), ...register('password') }}
      code={me?.twoFactor ? { error: errorOf('code'), ...register('code', { setValueAs: typedText }) } : null}
    >
      {state.balanceFt > 0 ? (
        <Checkbox {...tick('balance')}>{t('deletionWaive', { amount: formatMoney(state.balanceFt, locale) })}</Checkbox>
      ) : null}
      {state.servers.length > 0 ? (
        <Checkbox {...tick('servers')}>{t('deletionServers', { count: state.servers.length, names })}</Checkbox>
      ) : null}
    </ProofFrame>
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
