'use client'
import clsx from 'clsx'
import { useState } from 'react'

type AvatarProps = {
  pictureId: string | null
  initials: string
  large?: boolean
  /** Announced when the picture says more than the name beside it. */
  alt?: string
}

/**
 * A person's picture, else their initials in an outline. A picture that no longer exists falls back to the initials.
 */
export const Avatar = ({ pictureId, initials, large = false, alt = '' }: AvatarProps) => {
  const [goneId, setGoneId] = useState<string | null>(null)
  if (pictureId === null || pictureId === goneId) {
    return (
      <span className={clsx('tag', large && 'tag-l')} aria-hidden="true">
        {initials || '·'}
      </span>
    )
  }
  const edge = large ? 96 : 32
  return (
    <img
      className={clsx('avatar', large && 'avatar-l')}
      src={`/api/uploads/profile/${pictureId}`}
      alt={alt}
      width={edge}
      height={edge}
      onError={() => setGoneId(pictureId)}
    />
  )
}
