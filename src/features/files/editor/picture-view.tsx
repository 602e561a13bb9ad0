'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import { bytesText } from '@/lib/format/size.ts'
import { Button } from '@/ui/controls/button.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { pictureType } from '../file-kind.ts'
import { useFiles } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import { useTroubleText } from '../trouble-text.ts'
import { useFileActions } from '../use-file-actions.ts'

const SHOWN_BYTES = 16 * 1024 * 1024

/** A picture as the browser shows it; nothing in it can run, because it is an image and no document. */
export const PictureView = ({ path }: { path: string }) => {
  const t = useTranslations('files.editor')
  const locale = useLocale()
  const files = useFiles()
  const troubleText = useTroubleText()
  const { take } = useFileActions(files)
  const query = useQuery({
    queryKey: [...filesKey(files.server.id), 'picture', path],
    queryFn: ({ signal }) => files.node.read(path, { from: 0, limit: SHOWN_BYTES }, signal),
    gcTime: 0,
    retry: false,
  })
  const [address, setAddress] = useState<string>()
  // By address: a reading that comes while the browser still loads an earlier one takes that one's address away.
  const [broken, setBroken] = useState<string>()
  const bytes = query.data?.bytes
  useEffect(() => {
    if (bytes === undefined) return undefined
    const made = URL.createObjectURL(new Blob([bytes], { type: pictureType(nameOf(path)) }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, path])
  const isCut = query.data !== undefined && query.data.total > query.data.bytes.length
  if (query.isError)
    return (
      <p className="ed-other" role="alert">
        {troubleText(query.error, nameOf(path))}
      </p>
    )
  if (query.data === undefined || address === undefined) {
    return (
      <div className="ed-other">
        <SkeletonRows rows={6} label={t('reading')} />
      </div>
    )
  }
  return (
    <div className="ed-picture">
      {isCut || broken === address ? (
        <EmptyState>{t('noPicture')}</EmptyState>
      ) : (
        <img
          key={address}
          src={address}
          alt={t('pictureAlt', { name: nameOf(path) })}
          onError={() => setBroken(address)}
        />
      )}
      <p className="small t2">{bytesText(query.data.total, locale)}</p>
      <Button onClick={() => void take(path)}>{t('download')}</Button>
    </div>
  )
}
