'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useTranslations } from 'next-intl'
import { useForm } from 'react-hook-form'
import { PasswordChangeAnswer } from '#contracts/http/auth.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { PasswordField } from '@/ui/controls/password-field.tsx'
import { ChangePasswordForm } from '../schemas.ts'
import { ProofFields } from '../security/proof-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useFieldText } from './use-field-text.ts'
import { useProvenSubmit } from './use-proven-submit.ts'

const EMPTY: ChangePasswordForm = { currentPassword: '', password: '', passwordConfirm: '' }
const FIELDS = ['currentPassword', 'code', 'password', 'passwordConfirm'] as const

const usePasswordChange = () => {
  const form = useForm<ChangePasswordForm>({ resolver: zodResolver(ChangePasswordForm), defaultValues: EMPTY })
  const send = async (body: ChangePasswordForm) =>
    (await api.call('/api/user/password', { method: 'POST', body, schema: PasswordChangeAnswer })).ended
  return { form, ...useProvenSubmit(form, { fields: FIELDS, passwordField: 'currentPassword', send }) }
}

/** Changes the password: all other devices are signed out, and the page says so before and after. */
export const PasswordPanel = () => {
  const t = useTranslations('settings')
  const fieldText = useFieldText()
  const { form, submit, failure, answer: ended, needsCode } = usePasswordChange()
  const { errors, isSubmitting } = form.formState
  const fresh = { words: { show: t('show'), hide: t('hide') }, autoComplete: 'new-password' }
  return (
    <Panel title={t('password')}>
      <SettingsForm
        onSubmit={submit}
        isBusy={isSubmitting}
        failure={failure}
        done={ended === null ? null : t('passwordChanged', { count: ended })}
        text={t('passwordText')}
        submit={t('passwordSubmit')}
      >
        <ProofFields
          password={{ error: fieldText(errors.currentPassword?.message), ...form.register('currentPassword') }}
          code={needsCode ? { error: fieldText(errors.code?.message), ...form.register('code') } : null}
        />
        <PasswordField
          {...fresh}
          label={t('newPassword')}
          error={fieldText(errors.password?.message)}
          {...form.register('password')}
        />
        <PasswordField
          {...fresh}
          label={t('newPasswordAgain')}
          error={fieldText(errors.passwordConfirm?.message)}
          {...form.register('passwordConfirm')}
        />
      </SettingsForm>
    </Panel>
  )
}
