'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { FileVersion } from '#contracts/panel/node-files.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useFiles } from '../files-context.tsx'
import { useTroubleText } from '../trouble-text.ts'
import type { Draft } from './draft.ts'
import type { Saving } from './use-saving.ts'

const DraftNote = ({ draft, onDraft }: { draft: Draft; onDraft: (takes: boolean) => void }) => {
  const t = useTranslations('files.editor')
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        <>
          <Button size="s" onClick={() => onDraft(true)}>
            {t('takeDraft')}
          </Button>
          <Button size="s" look="quiet" onClick={() => onDraft(false)}>
            {t('dropDraft')}
          </Button>
        </>
      }
    >
      {t('draftFound', { time: formatDate(draft.atMs, locale, { style: 'stamp', timeZone }) })}
    </Notice>
  )
}

type ClashNoteProps = { mtimeMs: number; isComparing: boolean; onCompare: () => void; reread: () => void }

const ClashNote = ({ mtimeMs, isComparing, onCompare, reread }: ClashNoteProps) => {
  const t = useTranslations('files.editor')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const actions = (
    <>
      <Button size="s" onClick={onCompare}>
        {t('compare')}
      </Button>
      <Button size="s" look="quiet" onClick={reread}>
        {t('reread')}
      </Button>
    </>
  )
  return (
    <Notice tone="wait" role="alert" action={isComparing ? undefined : actions}>
      {isComparing ? t('comparing') : t('clash', { time: formatDate(mtimeMs, locale, { style: 'time', timeZone }) })}
    </Notice>
  )
}

const VersionNote = ({ version, isComparing }: { version: FileVersion; isComparing: boolean }) => {
  const t = useTranslations('files.editor')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const time = formatDate(version.savedAtMs, locale, { style: 'stamp', timeZone })
  return (
    <Notice tone="plain" role="status">
      {t(isComparing ? 'comparingVersion' : 'returned', { time })}
    </Notice>
  )
}

type GoneNoteProps = { name: string; isBusy: boolean; onSaveAsNew: () => void }

/** The file is not there any more; whoever may create files saves the text as a new one. */
const GoneNote = ({ name, isBusy, onSaveAsNew }: GoneNoteProps) => {
  const t = useTranslations('files.editor')
  const action = (
    <Button size="s" busy={isBusy} onClick={onSaveAsNew}>
      {t('saveAsNew')}
    </Button>
  )
  return (
    <Notice tone="wait" role="alert" action={useFiles().may('file.create') ? action : undefined}>
      {t('fileGone', { name })}
    </Notice>
  )
}

/** Names the permission that is gone, and says where the text is. */
const HeldNote = ({ hasDraft }: { hasDraft: boolean }) => {
  const t = useTranslations('files')
  return (
    <Notice tone="stop" role="alert">
      {t('trouble.permissions.update')} {t(hasDraft ? 'editor.held' : 'editor.heldHere')}
    </Notice>
  )
}

type NotesProps = {
  isHeld: boolean
  version: FileVersion | undefined
  saving: Saving
  path: string
  draft: Draft | null
  isComparing: boolean
  onDraft: (takes: boolean) => void
  onCompare: () => void
  reread: () => void
}

/** The one sentence above the text that matters now: a right that is gone, a file that is, a draft, another version, or a failure. */
export const EditorNotes = ({ isHeld, saving, path, draft, version, onDraft, ...clash }: NotesProps) => {
  const troubleText = useTroubleText()
  if (isHeld) return <HeldNote hasDraft={saving.draft?.isKept !== false} />
  if (saving.isGone) {
    return <GoneNote name={nameOf(path)} isBusy={saving.isSaving} onSaveAsNew={() => void saving.saveAsNew()} />
  }
  if (saving.clash !== null || (clash.isComparing && version === undefined)) {
    return <ClashNote mtimeMs={saving.clash?.mtimeMs ?? Date.now()} {...clash} />
  }
  if (draft !== null) return <DraftNote draft={draft} onDraft={onDraft} />
  if (saving.failure === null && version !== undefined) {
    return <VersionNote version={version} isComparing={clash.isComparing} />
  }
  if (saving.failure === null) return null
  return (
    <Notice tone="stop" role="alert">
      {troubleText(saving.failure, nameOf(path))}
    </Notice>
  )
}
