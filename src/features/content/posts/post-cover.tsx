import { getTranslations } from 'next-intl/server'
import { DRAWING_SIZES, drawingPath } from '#contracts/pictures.ts'
import type { PostLine } from './post-view.ts'

type CoverProps = { readonly post: Pick<PostLine, 'drawing' | 'picture'>; readonly className?: string }

/** The cover of a post: the editor's own picture, else a drawing. It is the largest thing in sight, so it loads at once. */
export const PostCover = async ({ post: { drawing, picture }, className }: CoverProps) => {
  const t = await getTranslations('blog.covers')
  if (picture === null && drawing === null) return null
  const { width, height } = picture ?? DRAWING_SIZES.posts
  const [src, alt] =
    picture !== null
      ? [picture.path, picture.alt]
      : drawing === null
        ? ['', '']
        : [drawingPath('posts', drawing), t(drawing)]
  return (
    <img
      className={className}
      src={src}
      alt={alt}
      {...(picture?.altLanguage ? { lang: picture.altLanguage } : {})}
      width={width}
      height={height}
      fetchPriority="high"
      decoding="async"
    />
  )
}
