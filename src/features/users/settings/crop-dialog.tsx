'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CSSProperties } from 'react'
import Cropper from 'react-easy-crop'
import type { Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { ProfilePictureAnswer } from '#contracts/http/user.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

const ZOOM = { least: 1, most: 5, step: 0.1 }
/** Pixels that one press of an arrow key moves; with Shift a fifth. */
const KEY_STEP = 10

type CropProps = { file: File; url: string; onClose: () => void; onSaved: (profilePictureId: string) => void }

/** Uploads the unchanged file with the chosen square: the site crops it and stores nothing else. */
const upload = async (file: File, { x, y, width, height }: Area): Promise<string> => {
  const square = { x, y, size: Math.min(width, height) }
  const query = new URLSearchParams(Object.entries(square).map(([name, part]) => [name, String(Math.round(part))]))
  const call = { method: 'POST', file, schema: ProfilePictureAnswer } as const
  return (await api.call(`/api/user/picture?${query}`, call)).profilePictureId
}

const ZoomSlider = ({ zoom, setZoom }: { zoom: number; setZoom: (zoom: number) => void }) => {
  const t = useTranslations('settings')
  const share = (zoom - ZOOM.least) / (ZOOM.most - ZOOM.least)
  return (
    <div>
      <label htmlFor="crop-zoom" className="label">
        {t('zoom')}
      </label>
      <span className="slider" style={{ '--v': share } as CSSProperties}>
        <input
          id="crop-zoom"
          type="range"
          min={ZOOM.least}
          max={ZOOM.most}
          step={ZOOM.step}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)} %`}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
        />
      </span>
    </div>
  )
}

/** The square of a picture: dragged, pinched or scrolled, or moved with arrow keys and a slider. */
const Stage = ({
  url,
  onArea,
  onUnreadable,
}: {
  url: string
  onArea: (area: Area) => void
  onUnreadable: () => void
}) => {
  const t = useTranslations('settings')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState<number>(ZOOM.least)
  return (
    <>
      <p className="t2">{t('cropText')}</p>
      <div className="crop-stage">
        <Cropper
          image={url}
          aspect={1}
          crop={crop}
          zoom={zoom}
          minZoom={ZOOM.least}
          maxZoom={ZOOM.most}
          keyboardStep={KEY_STEP}
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: 'crop-area' }}
          cropperProps={{ role: 'group', 'aria-label': t('cropArea') }}
          mediaProps={{ onError: onUnreadable }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_share, area) => onArea(area)}
        />
      </div>
      <ZoomSlider zoom={zoom} setZoom={setZoom} />
    </>
  )
}

export const CropDialog = ({ file, url, onClose, onSaved }: CropProps) => {
  const t = useTranslations('settings')
  const common = useTranslations('common')
  const failureText = useFailureText()
  // First closed and then removed, so that the focus returns to its previous place.
  const [isOpen, setOpen] = useState(true)
  const [area, setArea] = useState<Area | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const uploading = useMutation({
    mutationFn: (square: Area) => upload(file, square),
    onSuccess: (profilePictureId) => {
      onSaved(profilePictureId)
      setOpen(false)
    },
  })
  const { error: failure, isPending } = uploading
  const refusal = isUnreadable ? t('pictureUnreadable') : failure === null ? null : failureText(failure)
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={t('cropTitle')}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={() => setOpen(false)}>{common('cancel')}</Button>
          {isUnreadable ? null : (
            <Button look="primary" busy={isPending || area === null} onClick={() => area && uploading.mutate(area)}>
              {t('cropSave')}
            </Button>
          )}
        </>
      }
    >
      <div className="stack-12">
        {isUnreadable ? null : <Stage url={url} onArea={setArea} onUnreadable={() => setUnreadable(true)} />}
        {refusal === null ? null : (
          <Notice tone="stop" role="alert">
            {t('pictureFailed')} {refusal}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
