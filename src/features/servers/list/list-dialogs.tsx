'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { PowerAction, Server } from '#contracts/http/server.ts'
import type { ServerLayoutChange } from '#contracts/http/server-layout.ts'
import { MAX_GROUP_NAME_LENGTH, type ServerGroup } from '#domain/servers/list-layout.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { newRequestId } from '@/lib/browser-client/request-id.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Radio } from '@/ui/controls/choice.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

type AskProps = {
  readonly title: string
  readonly act: string
  readonly look?: 'primary' | 'danger-solid'
  /** Sends; a failure is shown and what was typed stays. */
  readonly onAct: () => Promise<void>
  readonly onClose: () => void
  readonly children: ReactNode
}

const Ask = ({ title, act, look = 'primary', onAct, onClose, children }: AskProps) => {
  const tc = useTranslations('common')
  const failureText = useFailureText()
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    await onAct().then(onClose, setFailure)
    setBusy(false)
  }
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={tc('close')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void send()
        }}
      >
        {children}
        {failure === null ? null : (
          <Notice tone="stop" role="alert">
            {failureText(failure)}
          </Notice>
        )}
        <div className="dialog__end">
          <Button onClick={onClose}>{tc('cancel')}</Button>
          <Button look={look} type="submit" busy={isBusy}>
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type Change = (change: ServerLayoutChange) => Promise<void>
type ChangeDialogProps = { readonly change: Change; readonly onClose: () => void }

const NameField = ({ name, onName }: { name: string; onName: (name: string) => void }) => {
  const t = useTranslations('servers.list')
  return (
    <Field
      label={t('groupName')}
      value={name}
      required
      maxLength={MAX_GROUP_NAME_LENGTH}
      autoComplete="off"
      onChange={(event) => onName(event.currentTarget.value)}
    />
  )
}

/** Creates a group, or renames one. */
export const GroupNameDialog = ({ group, change, onClose }: ChangeDialogProps & { group: ServerGroup | null }) => {
  const t = useTranslations('servers.list')
  const tc = useTranslations('common')
  const [name, setName] = useState(group?.name ?? '')
  // One id for this dialog: a repeated call must not create a second group.
  const [newId] = useState(newRequestId)
  const send = () =>
    change(
      group === null
        ? { kind: 'addGroup', groupId: newId, name: name.trim(), servers: [] }
        : { kind: 'renameGroup', groupId: group.id, name: name.trim() },
    )
  return (
    <Ask
      title={t(group === null ? 'newGroup' : 'renameGroup')}
      act={group === null ? t('newGroupAct') : tc('save')}
      onAct={send}
      onClose={onClose}
    >
      <NameField name={name} onName={setName} />
    </Ask>
  )
}

/** Deletes a group; its servers stay. */
export const RemoveGroupDialog = ({ group, change, onClose }: ChangeDialogProps & { group: ServerGroup }) => {
  const t = useTranslations('servers.list')
  return (
    <Ask
      title={t('removeGroupTitle', { name: group.name })}
      act={t('removeGroup')}
      look="danger-solid"
      onAct={() => change({ kind: 'removeGroup', groupId: group.id })}
      onClose={onClose}
    >
      <p>{t('removeGroupText', { loose: t('loose') })}</p>
    </Ask>
  )
}

type MoveDialogProps = ChangeDialogProps & {
  readonly servers: readonly string[]
  readonly groups: readonly ServerGroup[]
}

const [NONE, NEW] = ['none', 'new'] as const

/** Moves servers to the end of a group, which may be a new one. */
export const MoveDialog = ({ servers, groups, change, onClose }: MoveDialogProps) => {
  const t = useTranslations('servers.list')
  const [target, setTarget] = useState<string>(groups[0]?.id ?? NEW)
  const [name, setName] = useState('')
  const [newId] = useState(newRequestId)
  const send = () =>
    change(
      target === NEW
        ? { kind: 'addGroup', groupId: newId, name: name.trim(), servers: [...servers] }
        : { kind: 'move', servers: [...servers], groupId: target === NONE ? null : target, before: null },
    )
  const radio = (value: string, label: string) => (
    <Radio key={value} name="group" checked={target === value} onChange={() => setTarget(value)}>
      {label}
    </Radio>
  )
  return (
    <Ask title={t('moveTitle', { count: servers.length })} act={t('moveAct')} onAct={send} onClose={onClose}>
      <div role="radiogroup" aria-label={t('moveTo')}>
        {groups.map((group) => radio(group.id, group.name))}
        {groups.length > 0 ? radio(NONE, t('loose')) : null}
        {radio(NEW, t('toNew'))}
      </div>
      {target === NEW ? <NameField name={name} onName={setName} /> : null}
    </Ask>
  )
}

type PowerDialogProps = {
  readonly action: Exclude<PowerAction, 'start'>
  readonly servers: readonly Server[]
  readonly onAct: () => void
  readonly onClose: () => void
}

/** Asks before people on several servers lose their game. */
export const PowerDialog = ({ action, servers, onAct, onClose }: PowerDialogProps) => {
  const t = useTranslations('servers')
  const act = async () => onAct()
  return (
    <Ask
      title={t(`list.ask.${action}`, { count: servers.length })}
      act={t(`actions.${action}`)}
      look="danger-solid"
      onAct={act}
      onClose={onClose}
    >
      <p>{t(`list.askText.${action}`)}</p>
      <ul className="sv-asked">
        {servers.map((server) => (
          <li key={server.id}>{server.name}</li>
        ))}
      </ul>
    </Ask>
  )
}
