'use client'
import { Container } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ServerStartup } from '#contracts/http/panel/startup.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Radio } from '@/ui/controls/choice.tsx'
import { Mark, Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { useStartupPlace } from './startup-context.tsx'
import { useChangeImage } from './startup-queries.ts'

type Image = NonNullable<ServerStartup['image']>

/** A digest is the same image for ever, and too long to read: its beginning tells two apart. */
const shortImage = (image: string): string =>
  image.replace(/@sha256:([0-9a-f]{12})[0-9a-f]+$/, ' · $1').replace(/^~/, '')

const Choices = ({ image, chosen, onChoose }: { image: Image; chosen: string; onChoose?: (image: string) => void }) => {
  const t = useTranslations('startup.image')
  const isListed = image.choices.some((choice) => choice.image === image.current)
  const all = isListed ? image.choices : [{ label: shortImage(image.current), image: image.current }, ...image.choices]
  return (
    <fieldset className="su-images" disabled={onChoose === undefined}>
      <legend className="vh">{t('title')}</legend>
      {all.map((choice) => (
        <Radio
          key={choice.image}
          name="startup-image"
          value={choice.image}
          checked={choice.image === chosen}
          onChange={() => onChoose?.(choice.image)}
        >
          <b>{choice.label}</b> {choice.image === image.current ? <Mark>{t('current')}</Mark> : null}
          <code>{shortImage(choice.image)}</code>
        </Radio>
      ))}
      {isListed ? null : <p className="small t2">{t('gone')}</p>}
    </fieldset>
  )
}

/** The Docker image of the server, chosen from its template's list. */
export const ImagePanel = ({ image, version }: { image: Image; version: number }) => {
  const t = useTranslations('startup.image')
  const ts = useTranslations('startup')
  const failureText = useFailureText()
  const { server, may, closed } = useStartupPlace()
  const change = useChangeImage(server.id)
  const [wanted, setWanted] = useState<string | null>(null)
  const isOpen = may('startup.docker-image')
  const chosen = wanted ?? image.current
  const choose = (next: string) => {
    if (change.isPending) return
    change.reset()
    setWanted(next)
  }
  const use = () => change.mutate({ version, image: chosen }, { onSuccess: () => setWanted(null) })
  return (
    <Panel title={t('title')} end={<Container className="i" aria-hidden />}>
      <p className="small t2 su-note">{t('note')}</p>
      <Choices image={image} chosen={chosen} {...(isOpen ? { onChoose: choose } : {})} />
      {isOpen || closed !== null ? null : <p className="small t2">{ts('noImage')}</p>}
      <div role="status">
        {change.isSuccess && chosen === image.current ? <Notice tone="go">{t('saved')}</Notice> : null}
      </div>
      {change.isError ? (
        <Notice tone="stop" role="alert">
          {t('failed', { reason: failureText(change.error) })}
        </Notice>
      ) : null}
      {isOpen && image.choices.length > 1 ? (
        <Button
          busy={change.isPending}
          aria-disabled={chosen === image.current || undefined}
          onClick={() => {
            if (chosen !== image.current) use()
          }}
        >
          {t('use')}
        </Button>
      ) : null}
    </Panel>
  )
}
