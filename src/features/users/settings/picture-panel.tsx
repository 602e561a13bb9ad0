'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Suspense, lazy, useEffect, useRef, useState } from 'react'
import { Nothing } from '#contracts/primitives.ts'
import type { User } from '#contracts/http/user.ts'
import { PICTURE_MAX_BYTES } from '#domain/users/picture.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { initialsOf } from '@/lib/format/initials.ts'
import { Avatar } from '@/ui/signs/avatar.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { PersonRegion } from './person-region.tsx'

// The crop dialog is loaded only when it is used.
const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

type Said = { tone: 'go' | 'stop'; text: string }

/** The chosen file as an object URL, for as long as it is chosen. */
const useChosenFile = () => {
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null)
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])
  const choose = (file: File | null) => setChosen(file ? { file, url: URL.createObjectURL(file) } : null)
  return { chosen, choose }
}

const usePicture = () => {
  const t = useTranslations('settings')
  const client = useQueryClient()
  const failureText = useFailureText()
  const [said, setSaid] = useState<Said | null>(null)
  const show = (profilePictureId: string | null, text: string) => {
    client.setQueryData<User>(keys.me, (me) => (me ? { ...me, profilePictureId } : me))
    setSaid({ tone: 'go', text })
  }
  const removal = useMutation({
    mutationFn: () => api.call('/api/user/picture', { method: 'DELETE', schema: Nothing }),
    onMutate: () => setSaid(null),
    onSuccess: () => show(null, t('pictureRemoved')),
    onError: (failure) => setSaid({ tone: 'stop', text: `${t('pictureRemoveFailed')} ${failureText(failure)}` }),
  })
  const saved = (profilePictureId: string) => show(profilePictureId, t('pictureSaved'))
  return { said, setSaid, isBusy: removal.isPending, saved, remove: () => removal.mutate() }
}

const Picture = ({ user }: { user: User }) => {
  const t = useTranslations('settings')
  const input = useRef<HTMLInputElement>(null)
  const { chosen, choose } = useChosenFile()
  const { said, setSaid, isBusy, saved, remove } = usePicture()
  const has = user.profilePictureId !== null
  const take = (file: File | undefined) => {
    if (!file) return
    const isTooHeavy = file.size > PICTURE_MAX_BYTES
    setSaid(isTooHeavy ? { tone: 'stop', text: `${t('pictureFailed')} ${t('pictureTooHeavy')}` } : null)
    choose(isTooHeavy ? null : file)
  }
  return (
    <div className="settings-picture">
      <Avatar
        large
        pictureId={user.profilePictureId}
        initials={initialsOf(user.username)}
        alt={t('pictureOf', { name: user.username })}
      />
      <div className="stack-12">
        <p>
          <b>{user.username}</b>
        </p>
        <p className="t2">{t('profileText')}</p>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          hidden
          onChange={(event) => {
            take(event.currentTarget.files?.[0])
            // Allows choosing the same file again.
            event.currentTarget.value = ''
          }}
        />
        <div className="settings-end">
          <Button onClick={() => input.current?.click()}>{t(has ? 'pictureChange' : 'pictureChoose')}</Button>
          {has ? (
            <Button look="quiet" busy={isBusy} onClick={remove}>
              {t('pictureRemove')}
            </Button>
          ) : null}
        </div>
        {said === null ? null : (
          <Notice tone={said.tone} role={said.tone === 'go' ? 'status' : 'alert'}>
            {said.text}
          </Notice>
        )}
      </div>
      {chosen === null ? null : (
        <Suspense fallback={null}>
          <CropDialog {...chosen} onClose={() => choose(null)} onSaved={saved} />
        </Suspense>
      )}
    </div>
  )
}

/** The picture beside the person's name; without one their initials. */
export const PicturePanel = () => {
  const t = useTranslations('settings')
  return (
    <Panel title={t('profile')}>
      <PersonRegion>{(user) => <Picture user={user} />}</PersonRegion>
    </Panel>
  )
}
