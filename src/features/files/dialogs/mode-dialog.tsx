'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/ui/controls/button.tsx'
import { Checkbox } from '@/ui/controls/choice.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'

const WHO = ['owner', 'group', 'others'] as const
const RIGHTS = ['read', 'write', 'run'] as const
const SHIFT = { owner: 6, group: 3, others: 0 } as const
const BIT = { read: 4, write: 2, run: 1 } as const

type ModeDialogProps = {
  /** Null: closed. */
  readonly mode: number | null
  readonly count: number
  readonly onMode: (mode: number) => Promise<void>
  readonly onClose: () => void
}

const octal = (mode: number): string => mode.toString(8).padStart(3, '0')

const ModeForm = ({ mode, onMode, onClose }: ModeDialogProps & { mode: number }) => {
  const t = useTranslations('files.mode')
  const tc = useTranslations('common')
  const [text, setText] = useState(octal(mode))
  const [isBusy, setBusy] = useState(false)
  const bits = /^[0-7]{3}$/.test(text) ? Number.parseInt(text, 8) : null
  const save = async () => {
    if (bits === null || isBusy) return
    setBusy(true)
    await onMode(bits)
    setBusy(false)
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="modes">
        {WHO.map((who) => (
          <fieldset key={who}>
            <legend>{t(who)}</legend>
            {RIGHTS.map((right) => {
              const bit = BIT[right] << SHIFT[who]
              return (
                <Checkbox
                  key={right}
                  checked={((bits ?? 0) & bit) !== 0}
                  onChange={() => setText(octal((bits ?? 0) ^ bit))}
                >
                  {t(right)}
                </Checkbox>
              )
            })}
          </fieldset>
        ))}
      </div>
      <Field
        label={t('octal')}
        value={text}
        inputMode="numeric"
        maxLength={3}
        error={bits === null ? t('invalid') : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="dialog__end">
        <Button onClick={onClose}>{tc('cancel')}</Button>
        <Button type="submit" look="primary" busy={isBusy} disabled={bits === null}>
          {tc('save')}
        </Button>
      </div>
    </form>
  )
}

/** Changes who may read, write and run files. */
export const ModeDialog = (props: ModeDialogProps) => {
  const t = useTranslations('files.mode')
  const tc = useTranslations('common')
  const { mode, count, onClose } = props
  return (
    <Dialog open={mode !== null} onClose={onClose} title={t('title', { count })} closeLabel={tc('close')}>
      {mode === null ? null : <ModeForm {...props} mode={mode} />}
    </Dialog>
  )
}
