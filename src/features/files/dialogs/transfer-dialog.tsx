'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { TakenName } from '#contracts/panel/node-files.ts'
import { Radio } from '@/ui/controls/choice.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { QuestionForm } from './question-form.tsx'
import { TakenChoice } from './taken-choice.tsx'

export type ChosenTransfer = {
  readonly server: string
  readonly folder: string
  readonly moves: boolean
  readonly taken: TakenName
}
export type TransferFault = { readonly isOfFolder: boolean; readonly text: string }

type TransferDialogProps = {
  /** Empty: closed. */
  readonly paths: readonly string[]
  readonly servers: readonly Server[]
  /** Whether things may leave this server. */
  readonly mayMove: boolean
  /** Resolves with the refusal, or null when the work has begun. */
  readonly onTransfer: (chosen: ChosenTransfer) => Promise<TransferFault | null>
  readonly onClose: () => void
}

const HOW = [
  { moves: false, text: 'copy' },
  { moves: true, text: 'move' },
] as const

const StayChoice = ({ moves, onChange }: { moves: boolean; onChange: (moves: boolean) => void }) => {
  const t = useTranslations('files.transfer')
  return (
    <fieldset className="choices">
      <legend>{t('how')}</legend>
      {HOW.map(({ moves: leaves, text }) => (
        <Radio key={text} name="how" checked={moves === leaves} onChange={() => onChange(leaves)}>
          {t(text)}
        </Radio>
      ))}
    </fieldset>
  )
}

const TransferForm = ({ servers, mayMove, onTransfer, onClose }: TransferDialogProps) => {
  const t = useTranslations('files.transfer')
  const [server, setServer] = useState(servers[0]?.id ?? '')
  const [typed, setTyped] = useState('')
  const [moves, setMoves] = useState(false)
  const [chosen, setChosen] = useState<TakenName>('refuse')
  const mayReplace = servers.find(({ id }) => id === server)?.permissions.includes('file.update') === true
  const taken = mayReplace || chosen !== 'replace' ? chosen : 'refuse'
  const [isOfFolder, setOfFolder] = useState(false)
  const send = async (): Promise<string | null> => {
    const folder = typed.trim().replaceAll(/^\/+|\/+$/g, '')
    const fault = await onTransfer({ server, folder, moves, taken })
    setOfFolder(fault?.isOfFolder === true)
    return fault?.text ?? null
  }
  return (
    <QuestionForm act={t(moves ? 'doMove' : 'doCopy')} onSend={send} onClose={onClose}>
      {(refusal, forget) => (
        <>
          <fieldset className="choices choices-long">
            <legend>{t('server')}</legend>
            {servers.map(({ id, name, identifier }) => (
              <Radio
                key={id}
                name="server"
                checked={server === id}
                onChange={() => {
                  setServer(id)
                  forget()
                }}
              >
                {name} <span className="t2 mono small">{identifier}</span>
              </Radio>
            ))}
          </fieldset>
          <Field
            label={t('folder')}
            value={typed}
            error={isOfFolder ? refusal : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value)
              forget()
            }}
          />
          <TakenChoice value={taken} mayReplace={mayReplace} onChange={setChosen} />
          {mayMove ? <StayChoice moves={moves} onChange={setMoves} /> : null}
          {refusal === undefined || isOfFolder ? null : (
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

/** Asks to which server of the same machine things go, and whether they stay here. */
export const TransferDialog = (props: TransferDialogProps) => {
  const t = useTranslations('files.transfer')
  const tc = useTranslations('common')
  const { paths, onClose } = props
  const title = t('title', { count: paths.length, name: nameOf(paths[0] ?? '') })
  return (
    <Dialog open={paths.length > 0} onClose={onClose} title={title} closeLabel={tc('close')}>
      {paths.length === 0 ? null : <TransferForm {...props} />}
    </Dialog>
  )
}
