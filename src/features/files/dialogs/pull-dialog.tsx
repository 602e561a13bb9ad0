'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { MAX_NAME_BYTES } from '#contracts/panel/file-path.ts'
import type { PullRequest, TakenName } from '#contracts/panel/node-files.ts'
import { Field } from '@/ui/controls/field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { faultOfPull, typedPull, type PullFault, type TypedPull } from './pull-faults.ts'
import { QuestionForm } from './question-form.tsx'
import { TakenChoice } from './taken-choice.tsx'

type PullDialogProps = {
  readonly open: boolean
  /** The open folder, and the names that are taken there, as far as they are known. */
  readonly folder: string
  readonly taken: readonly string[]
  readonly mayReplace: boolean
  /** Resolves with the refusal and its field, or null when the download has begun. */
  readonly onPull: (request: PullRequest) => Promise<PullFault | null>
  readonly onClose: () => void
}

const FIELDS = ['address', 'folder', 'name'] as const

const PullForm = ({ folder, taken, mayReplace, onPull, onClose }: PullDialogProps) => {
  const t = useTranslations('files.pull')
  const tn = useTranslations('files.naming')
  const [typed, setTyped] = useState<TypedPull>({ address: '', folder, name: '' })
  const [at, setAt] = useState<keyof TypedPull>('address')
  const [whenTaken, setWhenTaken] = useState<TakenName>('refuse')
  const faultHere = (request: TypedPull): PullFault | null => {
    const code = faultOfPull(request, { folder, taken: whenTaken === 'refuse' ? taken : [] })
    if (code === undefined) return null
    if (code === 'taken') return { field: 'name', text: tn('taken', { name: request.name }) }
    if (code === 'name') return { field: 'name', text: tn('invalid', { bytes: MAX_NAME_BYTES }) }
    return { field: code, text: t(`invalid.${code}`) }
  }
  const send = async (): Promise<string | null> => {
    const { name, ...place } = typedPull(typed)
    const request = { ...place, taken: whenTaken }
    const fault = faultHere({ ...place, name }) ?? (await onPull(name === '' ? request : { ...request, name }))
    if (fault !== null) setAt(fault.field)
    return fault?.text ?? null
  }
  return (
    <QuestionForm act={t('do')} onSend={send} onClose={onClose}>
      {(refusal, forget) => (
        <>
          {FIELDS.map((field) => (
            <Field
              key={field}
              label={t(field)}
              value={typed[field]}
              error={at === field ? refusal : undefined}
              help={field === 'address' ? t('addressHelp') : undefined}
              inputMode={field === 'address' ? 'url' : 'text'}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => {
                setTyped({ ...typed, [field]: event.target.value })
                forget()
              }}
            />
          ))}
          <TakenChoice
            value={whenTaken}
            mayReplace={mayReplace}
            onChange={(value) => {
              setWhenTaken(value)
              forget()
            }}
          />
        </>
      )}
    </QuestionForm>
  )
}

/** Asks for a file from the web: its address, its folder and its name. */
export const PullDialog = (props: PullDialogProps) => {
  const t = useTranslations('files.pull')
  const tc = useTranslations('common')
  const { open, onClose } = props
  return (
    <Dialog open={open} onClose={onClose} title={t('title')} closeLabel={tc('close')}>
      {open ? <PullForm {...props} /> : null}
    </Dialog>
  )
}
