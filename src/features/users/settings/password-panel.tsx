'use client'
import { useTranslations } from 'next-intl'
import { PasswordChangeAnswer } from '#contracts/http/auth.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { PasswordField } from '@/ui/controls/password-field.tsx'
import { ChangePasswordForm } from '../schemas.ts'
import { ProofFields } from '../security/proof-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useFieldText } from './use-field-text.ts'
import { useProvenForm } from './use-proven-form.ts'

const EMPTY: ChangePasswordForm = { currentPassword: '', password: '', passwordConfirm: '' }
const FIELDS = ['currentPassword', 'code', 'password', 'passwordConfirm'] as const

const usePasswordChange = () =>
  useProvenForm({
    schema: ChangePasswordForm,
    defaultValues: EMPTY,
    fields: FIELDS,
    passwordField: 'currentPassword',
    send: async (body) =>
      (await api.call('/api/user/password', { method: 'POST', body, schema: PasswordChangeAnswer })).ended,
  })

/** Changes the password: all other devices are signed out, and the page says so before and after. */
export const PasswordPanel = () => {
  const t = useTranslations('settings')
  const fieldText = useFieldText()
  const { form, submit, failure, answer: ended, needsCode, isBusy, errorOf } = usePasswordChange()
  const fresh = { words: { show: t('show'), hide: t('hide') }, autoComplete: 'new-password' }
  return (
    <Panel title={t('password')}>
      <SettingsForm
        onSubmit={submit}
        isBusy={isBusy}
        failure={failure}
        done={ended === null ? null : t('passwordChanged', { count: ended })}
        text={t('passwordText')}
        submit={t('passwordSubmit')}
      >
        <ProofFields
          password={{ error: fieldText(errorOf('currentPassword')), ...form.register('currentPassword') }}
          code={needsCode ? { error: fieldText(errorOf('code')), ...form.register('code') } : null}
        />
        <PasswordField
          {...fresh}
          label={t('newPassword')}
          error={fieldText(errorOf('password'))}
          {...form.register('password')}
        />
        <PasswordField
          {...fresh}
          label={t('newPasswordAgain')}
          error={fieldText(errorOf('passwordConfirm'))}
          {...form.register('passwordConfirm')}
        />
      </SettingsForm>
    </Panel>
  )
}
