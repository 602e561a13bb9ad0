'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useShareWords } from './use-share-words.ts'

type RemovalDialogProps = {
  readonly open: boolean
  readonly title: string
  /** The consequence, in a sentence. */
  readonly children: ReactNode
  readonly act: string
  readonly keep: string
  readonly isBusy: boolean
  readonly failure: unknown
  readonly onAct: () => void
  readonly onClose: () => void
}

/** Asks before somebody loses access. */
export const RemovalDialog = (props: RemovalDialogProps) => {
  const { open, title, children, act, keep, isBusy, failure, onAct, onClose } = props
  const tc = useTranslations('common')
  const { failureWord } = useShareWords()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={tc('close')}
      actions={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button look="danger-solid" busy={isBusy} onClick={onAct}>
            {act}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      {failure === null || failure === undefined ? null : (
        <Notice tone="stop" role="alert" className="mt-3">
          {failureWord(failure)}
        </Notice>
      )}
    </Dialog>
  )
}
