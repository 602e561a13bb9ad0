'use client'
import { useTranslations } from 'next-intl'
import { SshKeyRequest } from '#contracts/http/file-access.ts'
import { readSshKey } from '#domain/users/ssh-key.ts'
import { typedText } from '@/lib/forms/typed-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { Field } from '@/ui/controls/field.tsx'
import { fileAccessCalls, useFileAccessChanged } from './file-access-state.ts'
import { ProofFrame } from './proof-frame.tsx'
import { refusedFields } from './refused-fields.ts'

const FIELDS = ['name', 'publicKey', 'password', 'code'] as const

/** Adds a public key: its line, a name, and the proof of the person. The name is proposed from the line's comment. */
export const SshKeyForm = ({ needsCode, onDone }: { needsCode: boolean; onDone: () => void }) => {
  const t = useTranslations('security.fileAccess')
  const changed = useFileAccessChanged()
  const { form, submit, failure, isBusy, errorOf } = useApiForm({
    schema: SshKeyRequest,
    defaultValues: { name: '', publicKey: '', password: '' },
    fields: FIELDS,
    send: async (request) => {
      await fileAccessCalls.addKey(request)
      await changed()
    },
    onDone,
    refusedIn: (refusal) => refusedFields(refusal, 'password'),
  })
  const proposeName = (text: string) => {
    const comment = readSshKey(text)?.comment ?? ''
    if (comment !== '' && form.getValues('name') === '') form.setValue('name', comment.slice(0, 60))
  }
  return (
    <ProofFrame
      onSubmit={submit}
      failure={failure}
      isBusy={isBusy}
      submit={t('addKey')}
      danger={false}
      onCancel={onDone}
      password={{ error: errorOf('password'), ...form.register('password') }}
      code={needsCode ? { error: errorOf('code'), ...form.register('code', { setValueAs: typedText }) } : null}
    >
      <Field
        label={t('publicKey')}
        help={t('publicKeyHelp')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errorOf('publicKey')}
        {...form.register('publicKey', {
          onChange: (event: { target: { value: string } }) => proposeName(event.target.value),
        })}
      />
      <Field
        label={t('keyName')}
        maxLength={60}
        autoComplete="off"
        error={errorOf('name')}
        {...form.register('name')}
      />
    </ProofFrame>
  )
}
