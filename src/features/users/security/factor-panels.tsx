'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { SecondFactorState } from '#contracts/http/second-factor.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { factorQuery } from './factor-state.ts'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { TotpPanel } from './totp-panel.tsx'

/** The state of somebody without a factor, which most accounts are: shown, locked, until the real one is known. */
const NO_FACTOR: SecondFactorState = {
  totp: false,
  passkeys: [],
  passkeysAvailable: true,
  recoveryCodesLeft: 0,
  required: false,
}

type FactorRegionProps = {
  /** Stands from the first paint, as `NO_FACTOR`. Not for a part that depends on the reader's browser. */
  fromStart?: boolean
  children: (state: SecondFactorState) => ReactNode
}

const FactorRegion = ({ fromStart = false, children }: FactorRegionProps) => {
  const t = useTranslations('security')
  const common = useTranslations('common')
  const query = useQuery(factorQuery())
  if (fromStart && query.data === undefined && !query.isError) return <div inert>{children(NO_FACTOR)}</div>
  return (
    <Region query={query} skeleton={<SkeletonRows rows={3} label={common('loading')} />} failed={t('failed')}>
      {children}
    </Region>
  )
}

/** The authenticator app; if a role requires a second factor, that is shown first. */
export const FactorSection = () => {
  const t = useTranslations('security')
  return (
    <FactorRegion fromStart>
      {(state) => (
        <div className="stack-12">
          {state.required && !state.totp && state.passkeys.length === 0 ? (
            <Notice tone="wait">{t('required2fa')}</Notice>
          ) : null}
          <TotpPanel state={state} />
        </div>
      )}
    </FactorRegion>
  )
}

export const PasskeysSection = () => <FactorRegion>{(state) => <PasskeysPanel state={state} />}</FactorRegion>
