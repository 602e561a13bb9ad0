'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { Field } from '@/ui/controls/field.tsx'
import { Mark } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { ChangeEmailForm } from '../schemas.ts'
import { ProofFields } from '../security/proof-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useFieldText } from './use-field-text.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { useProvenForm } from './use-proven-form.ts'

const EMPTY: ChangeEmailForm = { email: '', password: '' }

const useEmailChange = () => {
  const change = useProvenForm({
    schema: ChangeEmailForm,
    defaultValues: EMPTY,
    fields: ['email', 'password', 'code'],
    passwordField: 'password',
    send: async (body) => {
      await api.call('/api/user/email', { method: 'POST', body, schema: Nothing })
      return body.email
    },
  })
  const { getValues, setValue } = change.form
  const read = useCallback(() => ({ email: getValues('email') }), [getValues])
  const fill = useCallback((_field: string, text: string) => setValue('email', text), [setValue])
  useKeptDraft('newEmail', { read, fill })
  return change
}

/** The current address, and whether it is verified. */
const Present = () => {
  const t = useTranslations('settings')
  const me = useQuery(meQuery()).data
  // The line is there before its text, so that nothing moves.
  if (!me) return <p>{'\u00A0'}</p>
  return (
    <p>
      <b className="cut">{me.email}</b>{' '}
      {me.verified ? (
        <Mark tone="go">{t('verified')}</Mark>
      ) : (
        <>
          <Mark tone="wait">{t('notVerified')}</Mark>{' '}
          <a className="link" href="/auth/verify?next=/dashboard/settings/security">
            {t('verify')}
          </a>
        </>
      )}
    </p>
  )
}

/** Changes the e-mail address: it takes effect once the new one confirms it, and the old one can undo it. */
export const EmailPanel = () => {
  const t = useTranslations('settings')
  const fieldText = useFieldText()
  const { form, submit, failure, answer: sentTo, needsCode, isBusy, errorOf } = useEmailChange()
  return (
    <Panel title={t('email')}>
      <SettingsForm
        onSubmit={submit}
        isBusy={isBusy}
        failure={failure}
        head={<Present />}
        done={sentTo === null ? null : t('emailSent', { email: sentTo })}
        text={t('emailText')}
        submit={t('emailSubmit')}
      >
        <Field
          type="email"
          label={t('newEmail')}
          autoComplete="email"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          error={fieldText(errorOf('email'))}
          {...form.register('email')}
        />
        <ProofFields
          password={{ error: fieldText(errorOf('password')), ...form.register('password') }}
          code={needsCode ? { error: fieldText(errorOf('code')), ...form.register('code') } : null}
        />
      </SettingsForm>
    </Panel>
  )
}
