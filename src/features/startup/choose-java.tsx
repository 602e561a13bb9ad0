'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { fittingImage, javaNeedOf } from '#domain/known-errors/fixes.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { FixDone, FocusKept } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { startupPlaceOf } from './startup-context.tsx'
import { startupQuery, useChangeImage } from './startup-queries.ts'

/** The image from before, and the version of the settings that the choice has made: only over it the way back leads. */
type JavaChange = { readonly before: string; readonly label: string; readonly version: number }

const useJava = (server: Server) => {
  const t = useTranslations('console.known.java')
  const toast = useToast()
  const failureText = useFailureText()
  const image = useChangeImage(server.id)
  const [change, setChange] = useState<JavaChange | null>(null)
  const choose = async (wanted: { image: string; label: string }, now: { version: number; current: string }) => {
    try {
      const { version } = await image.mutateAsync({ version: now.version, image: wanted.image })
      setChange({ before: now.current, label: wanted.label, version })
    } catch (error) {
      toast({ lamp: 'crash', text: failureText(error) })
    }
  }
  const undo = async ({ before, version }: JavaChange) => {
    try {
      await image.mutateAsync({ version, image: before })
      setChange(null)
      toast({ lamp: 'done', text: t('undone') })
    } catch (error) {
      // Somebody has saved something else since: the way back would lead over it.
      if (error instanceof ApiFailure && error.code === 'STARTUP_CHANGED') setChange(null)
      toast({ lamp: 'crash', text: failureText(error) })
    }
  }
  return { change, isBusy: image.isPending, choose, undo }
}

type ChooseJavaProps = { server: Server; line: string; otherwise: ReactNode }

/** Chooses the image with the Java that the log asks for; `otherwise` stands where the template has none. */
export const ChooseJava = ({ server, line, otherwise }: ChooseJavaProps) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const { change, isBusy, choose, undo } = useJava(server)
  const may = server.permissions.includes('startup.view') && server.permissions.includes('startup.docker-image')
  const startup = useQuery({ ...startupQuery(server.id), enabled: may }).data
  const need = javaNeedOf(line)
  const image = startup?.image ?? null
  const fitting = need !== undefined && image !== null ? fittingImage(need, image) : undefined
  if (change === null && startupPlaceOf(server, Date.now()).closed !== null) return otherwise
  if (!server.permissions.includes('startup.docker-image') && server.permissions.includes('startup.view')) {
    return <span className="small t2">{t('needs', { permission: tp('startup.docker-image') })}</span>
  }
  if (change === null && (startup === undefined || image === null || fitting === undefined)) return otherwise
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {change === null && startup && image && fitting ? (
        <Button
          size="s"
          look="primary"
          busy={isBusy}
          onClick={() => void choose(fitting, { version: startup.version, current: image.current })}
        >
          {t('java.choose', { label: fitting.label })}
        </Button>
      ) : null}
      {change === null ? null : (
        <FixDone
          server={server}
          text={t('java.done', { label: change.label })}
          isBusy={isBusy}
          onUndo={() => void undo(change)}
        />
      )}
    </FocusKept>
  )
}
