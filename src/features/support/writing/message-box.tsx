'use client'
import clsx from 'clsx'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { ChangeEvent, KeyboardEvent, ReactNode } from 'react'
import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import { AttachButton, AttachedFiles } from '@/lib/attachments/attached-files.tsx'
import { useFileIntake } from '@/lib/attachments/file-intake.ts'
import type { Attachments } from '@/lib/attachments/use-attachments.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { useAttachmentWords } from './attachment-words.ts'

const MessageText = dynamic(() => import('@/lib/message-text/message-text.tsx').then((module) => module.MessageText))

type MessageBoxProps = {
  label: string
  /** In the input while it is empty. */
  hint: string
  value: string
  error?: string | undefined
  /** Beside the button: where the draft is. */
  note?: ReactNode
  /** The button that sends. */
  send: ReactNode
  files: Attachments
  /** Whether the message is being sent, and its files stay as they are. */
  isBusy: boolean
  onChange: (text: string) => void
  inputRef?: (input: HTMLTextAreaElement | null) => void
}

/** From this share of the limit on the length is counted for the reader. */
const NEARLY_FULL = 0.9

const sendOnKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

const Tabs = ({ isPreview, onChoose }: { isPreview: boolean; onChoose: (isPreview: boolean) => void }) => {
  const t = useTranslations('tickets.writing')
  return (
    <div className="tk-tabs" role="group" aria-label={t('view')}>
      {([false, true] as const).map((each) => (
        <button key={String(each)} type="button" aria-pressed={isPreview === each} onClick={() => onChoose(each)}>
          {t(each ? 'preview' : 'write')}
        </button>
      ))}
    </div>
  )
}

const Preview = ({ value }: { value: string }) => {
  const t = useTranslations('tickets.writing')
  return (
    <div className="tk-preview" role="region" aria-label={t('preview')} tabIndex={0}>
      {value.trim() === '' ? <p className="t2">{t('nothing')}</p> : <MessageText text={value} />}
    </div>
  )
}

/** The input of a message in markdown, with its preview. Ctrl+Enter sends the form around it. */
export const MessageBox = (props: MessageBoxProps) => {
  const { label, hint, value, error, note, send, files, isBusy, onChange, inputRef } = props
  const t = useTranslations('tickets.writing')
  const words = useAttachmentWords()
  const intake = useFileIntake(files.add, isBusy)
  const [isPreview, setPreview] = useState(false)
  const id = useId()
  const length = value.length
  return (
    <div>
      <div className={clsx('tk-box', error && 'tk-box-bad')} {...intake}>
        <div className="tk-box__head">
          <label htmlFor={id}>{label}</label>
          <Tabs isPreview={isPreview} onChoose={setPreview} />
        </div>
        {/* The input stays while the preview is shown: it keeps its place and its undo. */}
        <textarea
          id={id}
          ref={inputRef}
          hidden={isPreview}
          // Words typed while the message is on its way would go with it.
          readOnly={isBusy}
          value={value}
          rows={6}
          placeholder={hint}
          onChange={(event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.currentTarget.value)}
          onKeyDown={sendOnKey}
          aria-keyshortcuts="Control+Enter"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
        />
        {isPreview ? <Preview value={value} /> : null}
        <AttachedFiles files={files} words={words} isBusy={isBusy} />
        <div className="tk-box__bar">
          <AttachButton files={files} words={words} isBusy={isBusy} className={buttonClass({ look: 'quiet' })} />
          <span className="small t2 grow">
            {length > TICKET_BOUNDS.message * NEARLY_FULL ? t('length', { length, most: TICKET_BOUNDS.message }) : note}
          </span>
          {send}
        </div>
      </div>
      {error ? (
        <p className="field__err" id={`${id}-note`}>
          <LampGlyph kind="crash" />
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  )
}
