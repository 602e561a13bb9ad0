import { getTranslations } from 'next-intl/server'
import { DRAWING_SIZES, drawingPath } from '#contracts/pictures.ts'
import type { PostLine } from './post-view.ts'

type CoverProps = { readonly post: Pick<PostLine, 'drawing' | 'picture'>; readonly className?: string }

/** The cover of a post: the editor's own picture, else a drawing. It is the largest thing in sight, so it loads at once. */
export const PostCover = async ({ post: { drawing, picture }, className }: CoverProps) => {
  const t = await getTranslations('blog.covers')
  const drawn =
    drawing === null ? null : { path: drawingPath('posts', drawing), alt: t(drawing), ...DRAWING_SIZES.posts }
  const shown = picture ?? drawn
  if (shown === null) return null
  return (
    <img
      className={className}
      src={shown.path}
      alt={shown.alt}
      {...(picture?.altLanguage ? { lang: picture.altLanguage } : {})}
      width={shown.width}
      height={shown.height}
      fetchPriority="high"
      decoding="async"
    />
  )
}
