'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { MAX_PORT_NOTE } from '#contracts/http/panel/ports.ts'
import type { ServerPort } from '#contracts/http/panel/ports.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useChangePorts } from './port-queries.ts'
import type { PortChange } from './port-queries.ts'
import { usePortFailure } from './port-rights.ts'
import type { ShownServer } from './port-rights.ts'

type AskProps = {
  readonly server: ShownServer
  readonly title: string
  /** The word on the button that sends. */
  readonly act: string
  readonly look?: 'primary' | 'danger-solid'
  /** The request; null while it cannot be sent. */
  readonly change: PortChange | null
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A question about the ports. It stays open with what was typed when the change is refused. */
const Ask = ({ server, title, act, look = 'primary', change, onClose, children }: AskProps) => {
  const tc = useTranslations('common')
  const failureText = usePortFailure()
  const changing = useChangePorts(server.id)
  const send = () => {
    if (change !== null && !changing.isPending) changing.mutate(change, { onSuccess: onClose })
  }
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={tc('close')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {children}
        {changing.error === null ? null : (
          <Notice tone="stop" role="alert">
            {failureText(changing.error)}
          </Notice>
        )}
        <div className="dialog__end">
          <Button onClick={onClose}>{tc('cancel')}</Button>
          <Button look={look} type="submit" busy={changing.isPending}>
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const NoteField = ({ note, onNote }: { note: string; onNote: (note: string) => void }) => {
  const t = useTranslations('networks.note')
  const field = useRef<HTMLInputElement>(null)
  // After the dialog has shown itself; until then nothing in it takes the focus.
  useEffect(() => {
    const input = field.current
    input?.focus()
    input?.setSelectionRange(input.value.length, input.value.length)
  }, [])
  return (
    <Field
      label={t('label')}
      help={t('help')}
      value={note}
      maxLength={MAX_PORT_NOTE}
      autoComplete="off"
      onChange={(event) => onNote(event.target.value)}
      ref={field}
    />
  )
}

type DialogProps = { readonly server: ShownServer; readonly port: ServerPort; readonly onClose: () => void }

/** Asks for a further port. */
export const AddDialog = ({ server, onClose }: Omit<DialogProps, 'port'>) => {
  const t = useTranslations('networks.add')
  const [note, setNote] = useState('')
  return (
    <Ask server={server} title={t('title')} act={t('act')} change={{ kind: 'add', note }} onClose={onClose}>
      <p>{t('text')}</p>
      <NoteField note={note} onNote={setNote} />
    </Ask>
  )
}

/** Asks for the note of a port. */
export const NoteDialog = ({ server, port, onClose }: DialogProps) => {
  const t = useTranslations('networks.note')
  const tc = useTranslations('common')
  const [note, setNote] = useState(port.note)
  const title = t('title', { port: String(port.port) })
  return (
    <Ask
      server={server}
      title={title}
      act={tc('save')}
      change={{ kind: 'note', portId: port.id, note }}
      onClose={onClose}
    >
      <NoteField note={note} onNote={setNote} />
    </Ask>
  )
}

/** Asks before another port becomes the primary one. */
export const PrimaryDialog = ({ server, port, onClose }: DialogProps) => {
  const t = useTranslations('networks.primary')
  return (
    <Ask
      server={server}
      title={t('title', { port: String(port.port) })}
      act={t('act')}
      change={{ kind: 'primary', portId: port.id }}
      onClose={onClose}
    >
      <p>{t('text', { address: port.address })}</p>
      <p className="t2">{t('follow')}</p>
    </Ask>
  )
}

/** Asks before a port leaves; one that cannot says why. */
export const RemoveDialog = ({ server, port, onClose }: DialogProps) => {
  const t = useTranslations('networks.remove')
  const tc = useTranslations('common')
  const title = t('title', { port: String(port.port) })
  const names = port.variables.map(({ name }) => name).join(', ')
  if (port.keptBy !== null) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        closeLabel={tc('close')}
        actions={<Button onClick={onClose}>{tc('close')}</Button>}
      >
        <Notice tone="stop">{t(`kept.${port.keptBy}`, { names })}</Notice>
      </Dialog>
    )
  }
  return (
    <Ask
      server={server}
      title={title}
      act={t('act')}
      look="danger-solid"
      change={{ kind: 'remove', portId: port.id }}
      onClose={onClose}
    >
      <p>{t('text')}</p>
    </Ask>
  )
}
