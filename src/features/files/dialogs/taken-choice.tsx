'use client'
import { useTranslations } from 'next-intl'
import { TAKEN_NAMES, type TakenName } from '#contracts/panel/node-files.ts'
import { Radio } from '@/ui/controls/choice.tsx'

type TakenChoiceProps = {
  readonly value: TakenName
  /** Whether something that exists there may be replaced. */
  readonly mayReplace: boolean
  readonly onChange: (value: TakenName) => void
}

/** Asks about new things whose name is already taken where they arrive. */
export const TakenChoice = ({ value, mayReplace, onChange }: TakenChoiceProps) => {
  const t = useTranslations('files.taken')
  const offered = TAKEN_NAMES.filter((each) => each !== 'replace' || mayReplace)
  return (
    <fieldset className="choices choices-long">
      <legend>{t('title')}</legend>
      {offered.map((each) => (
        <Radio key={each} name="taken" checked={value === each} onChange={() => onChange(each)}>
          {t(each)}
        </Radio>
      ))}
    </fieldset>
  )
}
