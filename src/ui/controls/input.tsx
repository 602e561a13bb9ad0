import clsx from 'clsx'
import type { ComponentPropsWithRef, ReactNode } from 'react'

type InputProps = Omit<ComponentPropsWithRef<'input'>, 'size' | 'aria-label'> & {
  /** The accessible name, since the input has no visible label. */
  label: string
  icon?: ReactNode
  small?: boolean
}

/** A bare input for filters and command lines, without space for a floating label. */
export const Input = ({ label, icon, small = false, className, ...input }: InputProps) => {
  const bare = <input {...input} aria-label={label} className={clsx('input', small && 'input-s', className)} />
  return icon === undefined ? (
    bare
  ) : (
    <span className="with-icon">
      {icon}
      {bare}
    </span>
  )
}
