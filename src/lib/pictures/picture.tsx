import clsx from 'clsx'
import { DRAWING_SIZES, drawingPath, type DrawingGroup, type DRAWINGS } from '#contracts/pictures.ts'

type PictureProps = {
  /** Path on the site; null leaves the place empty, so that rows stay aligned. */
  readonly path: string | null
  readonly width: number
  readonly height: number
  readonly className?: string
  /** Above the fold: loaded at once. */
  readonly eager?: boolean
}

const DRAWN = /^\/pictures\/[a-z]+\/([a-z0-9-]+)\.svg$/

/** The name of a drawing from its path; undefined for a picture that staff have uploaded. */
export const drawingOf = (path: string | null): string | undefined => DRAWN.exec(path ?? '')?.[1]

/**
 * A picture beside its own name, which screen readers read instead. Its place is reserved before it loads, and an image that
 * fails leaves the plain ground.
 */
export const Picture = ({ path, width, height, className, eager = false }: PictureProps) =>
  path === null ? (
    <span className={clsx('picture', className)} style={{ aspectRatio: `${width} / ${height}` }} aria-hidden />
  ) : (
    <img
      className={clsx('picture', className)}
      src={path}
      alt=""
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
    />
  )

type DrawingProps<Group extends DrawingGroup> = {
  readonly group: Group
  readonly name: (typeof DRAWINGS)[Group][number]
  readonly width: number
  readonly className?: string
}

/** A drawing of the site's own at a width; its height follows. */
export const Drawing = <Group extends DrawingGroup>({ group, name, width, className }: DrawingProps<Group>) => {
  const size = DRAWING_SIZES[group]
  const height = Math.round((width * size.height) / size.width)
  return <Picture path={drawingPath(group, name)} width={width} height={height} {...(className ? { className } : {})} />
}
