const MARK = / data-status="(4\d\d|503)"/

/**
 * The status that a page declares, or null. The framework sets one only by sending an empty document that scripts fill,
 * so a page that must be readable without them has `data-status` in its markup instead. In the data that follows a page
 * for its scripts the same words are escaped and do not count.
 */
export const markedStatus = (html: string): number | null => {
  const status = MARK.exec(html)?.[1]
  return status === undefined ? null : Number(status)
}
