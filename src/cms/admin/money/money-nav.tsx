'use client'

import { Link, NavGroup } from '@payloadcms/ui'
import { usePathname } from 'next/navigation.js'
import { MONEY_PAGES, moneyGroup, moneyPageNames, moneyPath } from './money-pages.ts'
import { useAdminLanguage } from './use-admin-language.ts'

/** The group in the menu, in Payload's own style. */
export const MoneyNav = () => {
  const { say } = useAdminLanguage()
  const here = usePathname()
  return (
    <NavGroup label={say(moneyGroup)}>
      {MONEY_PAGES.map((page) => {
        const path = moneyPath(page)
        const label = <span className="nav__link-label">{say(moneyPageNames[page])}</span>
        return here === path ? (
          <div key={page} className="nav__link" aria-current="page">
            <div className="nav__link-indicator" />
            {label}
          </div>
        ) : (
          <Link key={page} className="nav__link" href={path} prefetch={false}>
            {label}
          </Link>
        )
      })}
    </NavGroup>
  )
}
