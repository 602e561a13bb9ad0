'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { isNewName, MAX_NAME_BYTES } from '#contracts/panel/file-path.ts'
import { Field } from '@/ui/controls/field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { QuestionForm } from './question-form.tsx'

export type NameQuestion = 'create-file' | 'create-folder' | 'rename'

type NameDialogProps = {
  /** Null: closed. */
  readonly question: NameQuestion | null
  /** The present name, for a change. */
  readonly name: string
  /** Names that are taken in the folder, as far as they are known. */
  readonly taken: readonly string[]
  /** Resolves with the refusal as a sentence, or null when it is done. */
  readonly onName: (name: string) => Promise<string | null>
  readonly onClose: () => void
}

/** Selects a name without its ending, which is rarely meant. */
const selectStem = (input: HTMLInputElement | null): void => {
  if (input === null) return
  const dot = input.value.lastIndexOf('.')
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length)
}

const NameForm = ({ question, name, taken, onName, onClose }: NameDialogProps & { question: NameQuestion }) => {
  const t = useTranslations('files.naming')
  const [text, setText] = useState(name)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => selectStem(input.current), [])
  const refusalOf = (wanted: string): string | undefined => {
    if (wanted === '') return t('empty')
    if (!isNewName(wanted)) return t('invalid', { bytes: MAX_NAME_BYTES })
    return wanted !== name && taken.includes(wanted) ? t('taken', { name: wanted }) : undefined
  }
  const send = async (): Promise<string | null> => {
    const wanted = text.trim()
    const refusal = refusalOf(wanted)
    if (refusal !== undefined) return refusal
    return wanted === name ? null : onName(wanted)
  }
  return (
    <QuestionForm act={t(`do.${question}`)} onSend={send} onClose={onClose}>
      {(refusal, forget) => (
        <Field
          ref={input}
          label={t('name')}
          value={text}
          error={refusal}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value)
            forget()
          }}
        />
      )}
    </QuestionForm>
  )
}

/** Asks for the name of something new, or for another one. */
export const NameDialog = (props: NameDialogProps) => {
  const t = useTranslations('files.naming')
  const tc = useTranslations('common')
  const { question, onClose } = props
  return (
    <Dialog
      open={question !== null}
      onClose={onClose}
      title={question === null ? '' : t(`title.${question}`)}
      closeLabel={tc('close')}
    >
      {question === null ? null : <NameForm {...props} question={question} />}
    </Dialog>
  )
}
