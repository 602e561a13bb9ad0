'use client'
import { ChevronDown } from 'lucide-react'
import { useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import type { Collaborator } from '#contracts/http/panel/collaborators.ts'
import { OFFERED_PERMISSIONS } from '#contracts/panel/offered-permissions.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { presetKeys, presetOf, SHARE_PRESET_NAMES } from '#domain/servers/shares.ts'
import { siteTimeZone } from '@/i18n/locales.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { EndField } from './end-field.tsx'
import { dayIn, endOfDay } from './end-of-day.ts'
import { PermissionGroups } from './permission-groups.tsx'
import { PresetCards } from './preset-cards.tsx'
import { useShareWords } from './use-share-words.ts'

export type ShareDraft = {
  readonly email: string
  readonly permissions: Permission[]
  readonly endsAt: string | null
}

type ShareFormProps = {
  /** The person whose share is edited; null for an invitation. */
  readonly person: Collaborator | null
  readonly own: readonly Permission[]
  readonly ownEnd: string | null
  /** Rejects with the failure; then the form stays as it is. */
  readonly onSend: (draft: ShareDraft) => Promise<unknown>
  readonly onRefresh: () => void
  readonly onClose: () => void
}

/** The smallest preset that the reader may give, as a beginning. */
const firstSet = (own: readonly Permission[]): readonly Permission[] => {
  const preset = SHARE_PRESET_NAMES.find((name) => presetKeys(name).every((key) => own.includes(key)))
  return preset === undefined ? [] : presetKeys(preset)
}

type Faults = { email?: string; permissions?: string; end?: string }

/** The typed values, with the faults that are found before anything is sent. */
const useDraft = ({ person, own, ownEnd }: Pick<ShareFormProps, 'person' | 'own' | 'ownEnd'>) => {
  const t = useTranslations('collaborators.dialog')
  const timeZone = useTimeZone() ?? siteTimeZone
  const shownDay = (instant: string | null) => (instant === null ? '' : dayIn(Date.parse(instant), timeZone))
  const [email, setEmail] = useState('')
  const [permissions, setPermissions] = useState<readonly Permission[]>(person?.permissions ?? firstSet(own))
  const firstDay = shownDay(person === null ? ownEnd : person.endsAt)
  const [day, setDay] = useState(firstDay)
  const [faults, setFaults] = useState<Faults>({})
  const endsAt = (): string | null => {
    if (day === '') return null
    // The moment stays exact while the day is the same; a day that ends after the reader's own share ends with it.
    if (person?.endsAt && day === firstDay) return person.endsAt
    const end = endOfDay(day, timeZone) ?? null
    return end !== null && ownEnd !== null && end > ownEnd ? ownEnd : end
  }
  const draft = (): ShareDraft | null => {
    const isPast = day !== '' && day !== firstDay && day < dayIn(Date.now(), timeZone)
    const found: Faults = {
      ...(person === null && !/^\S+@\S+$/.test(email.trim()) ? { email: t('emailMissing') } : {}),
      ...(permissions.length === 0 ? { permissions: t('none') } : {}),
      ...(isPast ? { end: t('endPast') } : {}),
    }
    setFaults(found)
    return Object.keys(found).length > 0
      ? null
      : { email: email.trim(), permissions: [...permissions], endsAt: endsAt() }
  }
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setFaults({})
      set(value)
    }
  const set = { email: changed(setEmail), permissions: changed(setPermissions), day: changed(setDay) }
  return { email, permissions, day, timeZone, faults, set, draft }
}

const useSending = ({ onSend, onClose }: Pick<ShareFormProps, 'onSend' | 'onClose'>) => {
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const send = async (draft: ShareDraft) => {
    setBusy(true)
    setFailure(null)
    try {
      await onSend(draft)
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { failure, isBusy, send }
}

const Refusal = ({ failure, onRefresh }: { failure: unknown; onRefresh: () => void }) => {
  const t = useTranslations('collaborators.dialog')
  const { failureWord } = useShareWords()
  const isChanged = failure instanceof ApiFailure && failure.code === 'SHARE_CHANGED'
  return (
    <Notice
      tone="stop"
      role="alert"
      action={
        isChanged ? (
          <Button size="s" onClick={onRefresh}>
            {t('refresh')}
          </Button>
        ) : undefined
      }
    >
      {failureWord(failure)}
    </Notice>
  )
}

const EMAIL_REFUSALS: readonly string[] = ['COLLABORATOR_UNKNOWN', 'ALREADY_COLLABORATOR', 'OWNER_HAS_ALL']
const isOfEmail = (failure: unknown): boolean => failure instanceof ApiFailure && EMAIL_REFUSALS.includes(failure.code)

type EmailFieldProps = {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (email: string) => void
}

/** Begins with the focus, and gets it back with each fault. */
const EmailField = ({ value, error, onChange }: EmailFieldProps) => {
  const t = useTranslations('collaborators.dialog')
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => ref.current?.focus(), [])
  useEffect(() => {
    if (error !== undefined) ref.current?.focus()
  }, [error])
  return (
    <Field
      ref={ref}
      label={t('email')}
      help={t('emailHelp')}
      type="email"
      value={value}
      autoComplete="off"
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type ChoiceProps = {
  readonly permissions: readonly Permission[]
  readonly given: readonly Permission[]
  readonly own: readonly Permission[]
  readonly fault: string | undefined
  readonly onChange: (permissions: readonly Permission[]) => void
}

/** The permissions: a preset, or one by one. */
const PermissionChoice = ({ permissions, given, own, fault, onChange }: ChoiceProps) => {
  const t = useTranslations('collaborators.dialog')
  const [isOpen, setOpen] = useState(presetOf(permissions) === undefined)
  const listId = useId()
  const count = permissions.filter((key) => OFFERED_PERMISSIONS.includes(key)).length
  return (
    <>
      <PresetCards
        permissions={permissions}
        given={given}
        own={own}
        onChoose={onChange}
        onCustom={() => setOpen(true)}
      />
      <div>
        <button
          type="button"
          className="perm-more"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown className="i" aria-hidden />
          {t('choose', { count })}
        </button>
        <div id={listId} hidden={!isOpen}>
          <PermissionGroups permissions={permissions} own={own} onChange={onChange} />
        </div>
        {fault === undefined ? null : (
          <p className="field__err" role="alert">
            {fault}
          </p>
        )}
      </div>
    </>
  )
}

/** The person who is invited or edited, their permissions, and the end of the share. */
export const ShareForm = (props: ShareFormProps) => {
  const { person, own, ownEnd, onRefresh, onClose } = props
  const t = useTranslations('collaborators.dialog')
  const tc = useTranslations('common')
  const { failureWord } = useShareWords()
  const { email, permissions, day, timeZone, faults, set, draft } = useDraft(props)
  const { failure, isBusy, send } = useSending(props)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const ready = draft()
    if (ready !== null) void send(ready)
  }
  const emailFault = faults.email ?? (isOfEmail(failure) ? failureWord(failure) : undefined)
  return (
    <form className="share-form" noValidate onSubmit={submit}>
      {person === null ? <EmailField value={email} error={emailFault} onChange={set.email} /> : null}
      <PermissionChoice
        permissions={permissions}
        given={person?.permissions ?? []}
        own={own}
        fault={faults.permissions}
        onChange={set.permissions}
      />
      <EndField day={day} timeZone={timeZone} ownEnd={ownEnd} error={faults.end} onDay={set.day} />
      {failure !== null && !isOfEmail(failure) ? <Refusal failure={failure} onRefresh={onRefresh} /> : null}
      <div className="dialog__end">
        <Button onClick={onClose}>{tc('cancel')}</Button>
        <Button look="primary" type="submit" busy={isBusy}>
          {t(person === null ? 'send' : 'save')}
        </Button>
      </div>
    </form>
  )
}
