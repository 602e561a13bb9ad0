'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { WRITTEN_FORMATS } from '#contracts/panel/archive-formats.ts'
import type { WrittenFormat } from '#contracts/panel/archive-formats.ts'
import { isNewName, MAX_NAME_BYTES } from '#contracts/panel/file-path.ts'
import { Radio } from '@/ui/controls/choice.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { QuestionForm } from './question-form.tsx'

type CompressDialogProps = {
  /** The names of what goes into the archive; none: closed. */
  readonly names: readonly string[]
  /** Names that are taken in the folder, as far as they are known. */
  readonly taken: readonly string[]
  /** Resolves with the refusal as a sentence, or null when it has begun. */
  readonly onCompress: (name: string, format: WrittenFormat) => Promise<string | null>
  readonly onClose: () => void
}

/** Message keys have no dots. */
const WORDS = { zip: 'zip', 'tar.gz': 'tar_gz', 'tar.zst': 'tar_zst', tar: 'tar' } as const

const CompressForm = ({ names, taken, onCompress, onClose }: CompressDialogProps) => {
  const t = useTranslations('files.archive')
  const tn = useTranslations('files.naming')
  const [stem, setStem] = useState(names.length === 1 ? (names[0] ?? '') : 'archive')
  const [format, setFormat] = useState<WrittenFormat>('zip')
  const name = `${stem.trim()}.${format}`
  const refusalOfName = (): string | undefined => {
    if (stem.trim() === '') return tn('empty')
    if (!isNewName(name)) return tn('invalid', { bytes: MAX_NAME_BYTES })
    return taken.includes(name) ? tn('taken', { name }) : undefined
  }
  return (
    <QuestionForm
      act={t('do')}
      onSend={async () => refusalOfName() ?? (await onCompress(name, format))}
      onClose={onClose}
    >
      {(refusal, forget) => (
        <>
          <Field
            label={t('name')}
            value={stem}
            error={refusal}
            end={<span className="t2">{`.${format}`}</span>}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => {
              setStem(event.target.value)
              forget()
            }}
          />
          <fieldset className="choices">
            <legend>{t('format')}</legend>
            {WRITTEN_FORMATS.map((each) => (
              <Radio key={each} name="format" checked={format === each} onChange={() => setFormat(each)}>
                {t(`formats.${WORDS[each]}`)}
              </Radio>
            ))}
          </fieldset>
        </>
      )}
    </QuestionForm>
  )
}

/** Asks for the name and the format of an archive. */
export const CompressDialog = (props: CompressDialogProps) => {
  const t = useTranslations('files.archive')
  const tc = useTranslations('common')
  const { names, onClose } = props
  const title = t('title', { count: names.length, name: names[0] ?? '' })
  return (
    <Dialog open={names.length > 0} onClose={onClose} title={title} closeLabel={tc('close')}>
      {names.length === 0 ? null : <CompressForm {...props} />}
    </Dialog>
  )
}
