const DAY_MS = 24 * 60 * 60 * 1_000

type Dating = {
  /** The date that the save brings. */
  readonly given: string | null
  /** The date that the post had before. */
  readonly before: string | null
  readonly isPublished: boolean
}

/**
 * The date of a post after a save. The day of the first publication stays, also when an older version is restored, unless an editor
 * writes another; a draft that was never published has none.
 */
export const publicationDate = ({ given, before, isPublished }: Dating, nowMs: number): string | null =>
  given ?? before ?? (isPublished ? new Date(nowMs).toISOString() : null)

/** Whether a post would be read before its date: what is published is read at once. */
export const isReadTooEarly = (
  { date, isPublished }: { date: Date | null; isPublished: boolean },
  nowMs: number,
): boolean => isPublished && date !== null && date.getTime() > nowMs

type Moments = { readonly published_at: Date; readonly updated_at: Date; readonly created_at: Date }

/** Whether a post was changed more than a day after it was published. A date before its creation is the editor's, and no publication. */
export const wasUpdated = ({ published_at: published, updated_at: updated, created_at: created }: Moments): boolean =>
  updated.getTime() - Math.max(published.getTime(), created.getTime()) > DAY_MS

type Month<Post> = { readonly month: string; readonly posts: readonly Post[] }

/** Posts by their months in a zone, in the given order; a month is `2026-11`. */
export const monthsOf = <Post extends { readonly publishedAt: string }>(
  posts: readonly Post[],
  timeZone: string,
): readonly Month<Post>[] => {
  const format = new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit', timeZone })
  const months: { month: string; posts: Post[] }[] = []
  for (const post of posts) {
    const month = format.format(new Date(post.publishedAt))
    const open = months.at(-1)
    if (open?.month === month) open.posts.push(post)
    else months.push({ month, posts: [post] })
  }
  return months
}
