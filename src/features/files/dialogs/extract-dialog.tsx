'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { stemOf } from '#contracts/panel/archive-formats.ts'
import { numberedName } from '#contracts/panel/file-path.ts'
import { Radio } from '@/ui/controls/choice.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { QuestionForm } from './question-form.tsx'

type ExtractDialogProps = {
  /** The archive; null: closed. */
  readonly name: string | null
  /** Names that are taken in the folder, as far as they are known. */
  readonly taken: readonly string[]
  readonly mayReplace: boolean
  /** The name of a new folder, or null for the open one. Resolves with the refusal as a sentence, or null when it has begun. */
  readonly onExtract: (folder: string | null, replaces: boolean) => Promise<string | null>
  readonly onClose: () => void
}

/** The archive's name without its ending, with the first number that makes it new. */
const freeName = (archive: string, taken: readonly string[]): string => {
  const stem = stemOf(archive)
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : numberedName(stem, number)
    if (!taken.includes(name)) return name
  }
}

const ExtractForm = ({ name, taken, mayReplace, onExtract, onClose }: ExtractDialogProps & { name: string }) => {
  const t = useTranslations('files.extract')
  const [isHere, setHere] = useState(false)
  const [replaces, setReplaces] = useState(false)
  const folder = freeName(name, taken)
  return (
    <QuestionForm act={t('do')} onSend={() => onExtract(isHere ? null : folder, isHere && replaces)} onClose={onClose}>
      {(refusal) => (
        <>
          <fieldset className="choices">
            <legend>{t('into')}</legend>
            <Radio name="into" checked={!isHere} onChange={() => setHere(false)}>
              {t('folder', { name: folder })}
            </Radio>
            <Radio name="into" checked={isHere} onChange={() => setHere(true)}>
              {t('here')}
            </Radio>
          </fieldset>
          {mayReplace ? (
            <fieldset className="choices" disabled={!isHere}>
              <legend>{t('existing')}</legend>
              <Radio name="existing" checked={!replaces} onChange={() => setReplaces(false)}>
                {t('keep')}
              </Radio>
              <Radio name="existing" checked={replaces} onChange={() => setReplaces(true)}>
                {t('replace')}
              </Radio>
            </fieldset>
          ) : null}
          {refusal === undefined ? null : (
            <p className="field__err" role="alert">
              <LampGlyph kind="crash" />
              <span>{refusal}</span>
            </p>
          )}
        </>
      )}
    </QuestionForm>
  )
}

/** Asks where the content of an archive goes. */
export const ExtractDialog = (props: ExtractDialogProps) => {
  const t = useTranslations('files.extract')
  const tc = useTranslations('common')
  const { name, onClose } = props
  return (
    <Dialog open={name !== null} onClose={onClose} title={t('title', { name: name ?? '' })} closeLabel={tc('close')}>
      {name === null ? null : <ExtractForm {...props} name={name} />}
    </Dialog>
  )
}
