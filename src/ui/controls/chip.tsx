import clsx from 'clsx'
import type { ButtonHTMLAttributes, ReactNode } from 'react'

type ChipProps = ButtonHTMLAttributes<HTMLButtonElement> & { pressed?: boolean; count?: ReactNode; small?: boolean }

/** A filter that is on or off, with the number of rows it leaves. */
export const Chip = ({ pressed, count, small = false, className, children, type = 'button', ...rest }: ChipProps) => (
  <button
    {...rest}
    type={type}
    className={clsx('chip', small && 'chip-s', className)}
    {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
  >
    {children}
    {count === undefined ? null : <span className="n"> {count}</span>}
  </button>
)
