'use client'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { REINSTALL_FILES } from '#contracts/http/panel/reinstall.ts'
import type { ReinstallRequest } from '#contracts/http/panel/reinstall.ts'
import type { Server } from '#contracts/http/server.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Radio } from '@/ui/controls/choice.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useReinstall } from './use-reinstall.ts'

type Files = ReinstallRequest['files']
type ContentProps = {
  readonly server: Server
  readonly size: ReactNode
  readonly onDone: () => void
  readonly onClose: () => void
}

type ChoicesProps = { readonly chosen: Files; readonly size: ReactNode; readonly onChoose: (files: Files) => void }

const Choices = ({ chosen, size, onChoose }: ChoicesProps) => {
  const t = useTranslations('serverSettings.reinstall')
  return (
    <fieldset className="reinstall-files">
      <legend>{t('files')}</legend>
      {REINSTALL_FILES.map((files) => (
        <Radio
          key={files}
          name="reinstall-files"
          value={files}
          checked={files === chosen}
          onChange={() => onChoose(files)}
        >
          <b>{t(files)}</b> {files === 'wipe' ? size : null}
          <small>{t(files === 'wipe' ? 'wipeHelp' : 'keepHelp')}</small>
        </Radio>
      ))}
    </fieldset>
  )
}

const Content = ({ server, size, onDone, onClose }: ContentProps) => {
  const t = useTranslations('serverSettings.reinstall')
  const tc = useTranslations('common')
  const failureText = useFailureText()
  const reinstall = useReinstall(server.id, onDone)
  const form = useId()
  const [files, setFiles] = useState<Files>('keep')
  const [typed, setTyped] = useState('')
  const [isTold, setTold] = useState(false)
  const isNamed = typed.trim() === server.name
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTold(true)
    if (!isNamed) return event.currentTarget.querySelector<HTMLElement>('.field__in')?.focus()
    if (!reinstall.isPending) reinstall.mutate({ name: server.name, files })
  }
  return (
    <form className="stack" id={form} noValidate autoComplete="off" onSubmit={submit}>
      <p>{t('how')}</p>
      <Choices chosen={files} size={size} onChoose={setFiles} />
      <Field
        label={t('name')}
        help={t('nameHelp', { name: server.name })}
        error={isTold && !isNamed ? t('nameWrong', { name: server.name }) : undefined}
        value={typed}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {reinstall.isError ? (
        <Notice tone="stop" role="alert">
          {t('failed', { reason: failureText(reinstall.error) })}
        </Notice>
      ) : null}
      <div className="dialog__end">
        <Button onClick={onClose}>{tc('cancel')}</Button>
        <Button type="submit" look="danger-solid" busy={reinstall.isPending}>
          {t(files === 'wipe' ? 'doWipe' : 'doKeep')}
        </Button>
      </div>
    </form>
  )
}

/** The confirmation of a reinstallation: what becomes of the files, and the name of the server. */
export const ReinstallDialog = ({ open, ...content }: ContentProps & { readonly open: boolean }) => {
  const t = useTranslations('serverSettings.reinstall')
  const tc = useTranslations('common')
  return (
    <Dialog
      open={open}
      onClose={content.onClose}
      title={t('dialog', { name: content.server.name })}
      closeLabel={tc('close')}
    >
      <Content {...content} />
    </Dialog>
  )
}
