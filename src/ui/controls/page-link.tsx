'use client'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import type { ComponentProps } from 'react'
import { whenIdle } from '../screen/when-idle.ts'

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'prefetch'> & {
  /** Lists link to many pages of one kind: none of them is fetched ahead. */
  prefetch?: false
}

/** A link to a page of the site: it is fetched ahead as soon as the browser is idle, and not before. */
export const PageLink = ({ prefetch, ...rest }: PageLinkProps) => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => (prefetch === false ? undefined : whenIdle(window, () => setIdle(true))), [prefetch])
  return <Link {...rest} prefetch={isIdle ? null : false} />
}
