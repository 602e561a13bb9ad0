'use client'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import type { ComponentProps } from 'react'
import { whenIdle } from '../screen/when-idle.ts'

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'prefetch'> & {
  /** Lists link to many similar pages, so they are not prefetched. */
  prefetch?: false
}

/** A link to a page of the site, prefetched once the browser is idle. */
export const PageLink = ({ prefetch, ...rest }: PageLinkProps) => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => (prefetch === false ? undefined : whenIdle(window, () => setIdle(true))), [prefetch])
  return <Link {...rest} prefetch={isIdle ? null : false} />
}
