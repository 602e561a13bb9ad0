'use client'
import { LayoutDashboard } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Ref } from 'react'
import type { SummaryLayout, SummaryPanel } from '#domain/users/summary-layout.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Checkbox } from '@/ui/controls/choice.tsx'
import { useShownAtOnce } from '@/ui/controls/use-shown-at-once.ts'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import type { SummaryArranging } from './use-summary-layout.ts'

type PanelChoiceProps = {
  readonly name: string
  readonly isShown: boolean
  readonly onShow: (shown: boolean) => void
}

const PanelChoice = ({ name, isShown, onShow }: PanelChoiceProps) => {
  const [checked, show] = useShownAtOnce(isShown)
  return (
    <Checkbox
      checked={checked}
      onChange={(event) => {
        show(event.currentTarget.checked)
        onShow(event.currentTarget.checked)
      }}
    >
      {name}
    </Checkbox>
  )
}

type PanelsProps = {
  /** Undefined while it is unknown: the button keeps its place. */
  readonly layout: SummaryLayout | undefined
  /** The panels that this reader can have; those about servers come with the first server. */
  readonly possible: readonly SummaryPanel[]
  readonly change: SummaryArranging
  readonly button: Ref<HTMLButtonElement>
}

/** The button that opens the choice of panels, and the choice. */
export const PanelsButton = ({ layout, possible, change, button }: PanelsProps) => {
  const t = useTranslations('summary.panels')
  const tc = useTranslations('common')
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className="btn btn-quiet btn-s sum-panels"
        aria-label={t('open')}
        title={t('open')}
        aria-haspopup="dialog"
        disabled={layout === undefined}
        onClick={() => setOpen(true)}
      >
        <LayoutDashboard className="i" aria-hidden />
        <span className="only-desk">{t('open')}</span>
      </button>
      <Dialog open={isOpen && layout !== undefined} onClose={close} title={t('title')} closeLabel={tc('close')}>
        <p className="t2">{t('hint')}</p>
        <p className="t2 only-phone">{t('hold')}</p>
        <fieldset className="sum-choice">
          <legend className="vh">{t('title')}</legend>
          {layout?.order
            .filter((panel) => possible.includes(panel))
            .map((panel) => (
              <PanelChoice
                key={panel}
                name={t(`names.${panel}`)}
                isShown={!layout.hidden.includes(panel)}
                onShow={(shown) => change.tell({ kind: 'show', panel, shown })}
              />
            ))}
        </fieldset>
        <div className="dialog__end">
          <Button onClick={() => change.tell({ kind: 'reset' })}>{t('reset')}</Button>
          <Button look="primary" onClick={close}>
            {t('done')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
