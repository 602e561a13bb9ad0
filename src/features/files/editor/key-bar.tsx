'use client'
import { useTranslations } from 'next-intl'

/** Signs that a phone's keyboard hides. */
const SIGNS = ['\t', '=', ':', '"', '#', '/', '{', '}'] as const

/** A row of signs above the keyboard of a phone. */
export const KeyBar = ({ onSign }: { onSign: (sign: string) => void }) => {
  const t = useTranslations('files.editor')
  return (
    <div className="ed-keys" role="toolbar" aria-label={t('keys')}>
      {SIGNS.map((sign) => (
        <button
          key={sign}
          type="button"
          // The keyboard of the screen stays open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onSign(sign)}
        >
          {sign === '\t' ? 'Tab' : sign}
        </button>
      ))}
    </div>
  )
}
