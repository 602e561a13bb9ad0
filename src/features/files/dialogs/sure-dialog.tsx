'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'

type SureDialogProps = {
  readonly open: boolean
  readonly title: string
  readonly children: ReactNode
  /** The word on the button that cannot be undone. */
  readonly act: string
  readonly onAct: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. */
export const SureDialog = ({ open, title, children, act, onAct, onClose }: SureDialogProps) => {
  const tc = useTranslations('common')
  const [isBusy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    await onAct()
    setBusy(false)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={tc('close')}
      actions={
        <>
          <Button onClick={onClose}>{tc('cancel')}</Button>
          <Button look="danger-solid" busy={isBusy} onClick={() => void go()}>
            {act}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
