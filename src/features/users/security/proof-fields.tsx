import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Field } from '@/ui/controls/field.tsx'
import type { FieldProps } from '@/ui/controls/field.tsx'
import { PasswordField } from '@/ui/controls/password-field.tsx'

type Input = Omit<FieldProps, 'label' | 'help' | 'type' | 'end' | 'code'>
type ProofFieldsProps = { password: Input; code: Input | null; codeHelp?: ReactNode }

/** The fields of a re-authentication: the password, and a code if one is required. */
export const ProofFields = ({ password, code, codeHelp }: ProofFieldsProps) => {
  const t = useTranslations('security')
  return (
    <>
      <PasswordField
        label={t('currentPassword')}
        words={{ show: t('show'), hide: t('hide') }}
        autoComplete="current-password"
        {...password}
      />
      {code === null ? null : (
        <Field
          label={t('code')}
          help={codeHelp}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...code}
        />
      )}
    </>
  )
}
