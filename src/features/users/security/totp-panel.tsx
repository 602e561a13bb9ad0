'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { TotpEnableRequest } from '#contracts/http/second-factor.ts'
import type { SecondFactorState, TotpSetup } from '#contracts/http/second-factor.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { Button } from '@/ui/controls/button.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Mark, Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { refusedFields } from './refused-fields.ts'
import { factorCalls, useFactorChanged } from './factor-state.ts'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Stage =
  | { readonly at: 'rest' | 'begin' | 'off' | 'renew' }
  | { readonly at: 'scan'; readonly setup: TotpSetup }
  | { readonly at: 'codes'; readonly codes: readonly string[] }

const REST: Stage = { at: 'rest' }

/** The QR code for the app, its text, and the first code. */
const Scan = ({ setup, onOn }: { setup: TotpSetup; onOn: (codes: readonly string[] | null) => void }) => {
  const t = useTranslations('security')
  const failureText = useFailureText()
  const { form, submit, failure, isBusy, errorOf } = useApiForm({
    schema: TotpEnableRequest,
    defaultValues: { code: '' },
    fields: ['code'],
    send: ({ code }) => factorCalls.turnOn(code),
    refusedIn: (reason) => refusedFields(reason, 'code'),
    onDone: ({ recoveryCodes }) => onOn(recoveryCodes),
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate method="post" aria-busy={isBusy} className="stack-24">
      <p className="t2">{t('scanText')}</p>
      {/* An inline picture: it is not requested from any address. */}
      <img src={setup.qr} alt={t('qr')} width={220} height={220} />
      <p>
        {t('secretText')} <CopyText text={setup.secret} label={t('secret')} quiet />
      </p>
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)}
        </Notice>
      )}
      <Field
        code
        label={t('firstCode')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        error={errorOf('code')}
        {...form.register('code')}
      />
      <div>
        <Button type="submit" look="primary" busy={isBusy}>
          {t('turnOn')}
        </Button>
      </div>
    </form>
  )
}

const Rest = ({ state, go }: { state: SecondFactorState; go: (stage: Stage) => void }) => {
  const t = useTranslations('security')
  const hasFactor = state.totp || state.passkeys.length > 0
  return (
    <div className="stack-24">
      <p className="t2">{t('appText')}</p>
      {hasFactor ? <p>{t('codesLeft', { count: state.recoveryCodesLeft })}</p> : null}
      <div className="btns">
        {state.totp ? (
          <Button look="danger" onClick={() => go({ at: 'off' })}>
            {t('turnOff')}
          </Button>
        ) : (
          <Button look="primary" onClick={() => go({ at: 'begin' })}>
            {t('setUp')}
          </Button>
        )}
        {hasFactor ? <Button onClick={() => go({ at: 'renew' })}>{t('renewCodes')}</Button> : null}
      </div>
    </div>
  )
}

/** Codes of an authenticator app, and the recovery codes that replace them. */
export const TotpPanel = ({ state }: { state: SecondFactorState }) => {
  const t = useTranslations('security')
  const changed = useFactorChanged()
  const [stage, go] = useState<Stage>(REST)
  const needsCode = state.totp || state.passkeys.length > 0
  const rest = () => go(REST)
  const proof = { needsCode, onCancel: rest }
  const show = async (codes: readonly string[] | null) => {
    go(codes === null ? REST : { at: 'codes', codes })
    await changed()
  }
  const mark = <Mark tone={state.totp ? 'go' : 'plain'}>{t(state.totp ? 'on' : 'off')}</Mark>
  return (
    <Panel title={t('app')} end={mark}>
      {stage.at === 'rest' ? <Rest state={state} go={go} /> : null}
      {stage.at === 'begin' ? (
        <ProofForm
          {...proof}
          submit={t('continue')}
          onProof={async (given) => go({ at: 'scan', setup: await factorCalls.setUp(given.proof) })}
        />
      ) : null}
      {stage.at === 'scan' ? <Scan setup={stage.setup} onOn={(codes) => void show(codes)} /> : null}
      {stage.at === 'codes' ? <RecoveryCodes codes={stage.codes} onKept={rest} /> : null}
      {stage.at === 'renew' ? (
        <ProofForm
          {...proof}
          submit={t('renewCodes')}
          onProof={async (given) => show((await factorCalls.renewCodes(given.proof)).recoveryCodes)}
        />
      ) : null}
      {stage.at === 'off' ? (
        <ProofForm
          {...proof}
          danger
          submit={t('turnOff')}
          onProof={async (given) => {
            await factorCalls.turnOff(given.proof)
            await show(null)
          }}
        />
      ) : null}
    </Panel>
  )
}
