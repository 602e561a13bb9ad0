'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import { PasskeyRenameRequest } from '#contracts/http/second-factor.ts'
import type { PasskeyEntry, SecondFactorState } from '#contracts/http/second-factor.ts'
import { formatDate } from '@/lib/format/date.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { canUsePasskeys } from '../passkey-client.ts'
import { addPasskey, factorCalls, useFactorChanged } from './factor-state.ts'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const Rename = ({ passkey, onDone }: { passkey: PasskeyEntry; onDone: () => void }) => {
  const t = useTranslations('security')
  const failureText = useFailureText()
  const changed = useFactorChanged()
  const { form, submit, failure, isBusy, errorOf } = useApiForm({
    schema: PasskeyRenameRequest,
    defaultValues: { name: passkey.name },
    fields: ['name'],
    send: async ({ name }) => {
      await factorCalls.renamePasskey(passkey.id, name)
      await changed()
    },
    onDone,
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate method="post" aria-busy={isBusy} className="stack-24">
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)}
        </Notice>
      )}
      <Field
        label={t('passkeyName')}
        maxLength={60}
        autoComplete="off"
        error={errorOf('name')}
        {...form.register('name')}
      />
      <div className="btns">
        <Button type="submit" look="primary" busy={isBusy}>
          {t('save')}
        </Button>
        <Button onClick={onDone}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

const Row = ({ passkey }: { passkey: PasskeyEntry }) => {
  const t = useTranslations('security')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const changed = useFactorChanged()
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const date = (time: string) => formatDate(time, locale, { style: 'date', timeZone })
  const used = passkey.lastUsedAt
  return (
    <li className="stack-8">
      <p>
        <b>{passkey.name}</b>{' '}
        <span className="t2">
          {used === null
            ? t('passkeyUnused', { created: date(passkey.createdAt) })
            : t('passkeyUsed', { created: date(passkey.createdAt), used: date(used) })}
        </span>
      </p>
      {open === null ? (
        <div className="btns">
          <Button size="s" onClick={() => setOpen('rename')} aria-label={t('renameNamed', { name: passkey.name })}>
            {t('rename')}
          </Button>
          <Button
            size="s"
            look="danger"
            onClick={() => setOpen('remove')}
            aria-label={t('removeNamed', { name: passkey.name })}
          >
            {t('remove')}
          </Button>
        </div>
      ) : null}
      {open === 'rename' ? <Rename passkey={passkey} onDone={close} /> : null}
      {open === 'remove' ? (
        <ProofForm
          needsCode
          danger
          submit={t('remove')}
          onCancel={close}
          onProof={async ({ proof }) => {
            await factorCalls.removePasskey(passkey.id, proof)
            await changed()
          }}
        />
      ) : null}
    </li>
  )
}

type Adding = 'no' | 'asking' | readonly string[]

/** Passkeys: they sign in alone, or replace a code after the password. */
export const PasskeysPanel = ({ state }: { state: SecondFactorState }) => {
  const t = useTranslations('security')
  const changed = useFactorChanged()
  const [adding, setAdding] = useState<Adding>('no')
  const [putAway, setPutAway] = useState(false)
  const isPossible = state.passkeysAvailable && canUsePasskeys()
  const rest = () => setAdding('no')
  return (
    <Panel title={t('passkeys')}>
      <div className="stack-24">
        <p className="t2">{t('passkeysText')}</p>
        {isPossible ? null : <Notice>{t('passkeysImpossible')}</Notice>}
        {putAway ? (
          <Notice tone="wait" role="status">
            {t('passkeyPutAway')}
          </Notice>
        ) : null}
        {state.passkeys.length > 0 ? (
          <ul className="stack-24">
            {state.passkeys.map((passkey) => (
              <Row key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        ) : null}
        {adding === 'no' && isPossible ? (
          <div>
            <Button look="primary" onClick={() => setAdding('asking')}>
              {t('addPasskey')}
            </Button>
          </div>
        ) : null}
        {adding === 'asking' ? (
          <ProofForm
            needsCode={state.totp || state.passkeys.length > 0}
            nameLabel={t('passkeyName')}
            submit={t('addPasskey')}
            onCancel={rest}
            onProof={async ({ proof, name }) => {
              const codes = await addPasskey(proof, name)
              setPutAway(codes === undefined)
              setAdding(codes ?? 'no')
              await changed()
            }}
          />
        ) : null}
        {typeof adding === 'string' ? null : <RecoveryCodes codes={adding} onKept={rest} />}
      </div>
    </Panel>
  )
}
