import clsx from 'clsx'
import type { ButtonHTMLAttributes, ReactNode } from 'react'

type ChipProps = ButtonHTMLAttributes<HTMLButtonElement> & { pressed?: boolean; count?: ReactNode; small?: boolean }

/** A toggle filter with the number of matching rows. */
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
