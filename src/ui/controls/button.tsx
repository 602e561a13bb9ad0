import clsx from 'clsx'
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import { LampGlyph } from '../signs/lamp.tsx'

export type ButtonLook = 'plain' | 'primary' | 'danger' | 'danger-solid' | 'quiet'
export type ButtonSize = 's' | 'm' | 'l'
type Looks = { look?: ButtonLook; size?: ButtonSize; wide?: boolean }

/** The classes of a button, for another element that looks like one (a framework's link). */
export const buttonClass = ({ look = 'plain', size = 'm', wide = false }: Looks, className?: string) =>
  clsx('btn', look !== 'plain' && `btn-${look}`, size !== 'm' && `btn-${size}`, wide && 'btn-wide', className)

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & Looks & { busy?: boolean }

/** While `busy` the button keeps its focus and width, shows a lamp and ignores further presses. */
export const Button = ({
  look,
  size,
  wide,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={busy ? 'button' : type}
    className={buttonClass({ ...(look && { look }), ...(size && { size }), ...(wide && { wide }) }, className)}
    {...(busy ? { 'aria-disabled': true } : {})}
    {...(!busy && onClick ? { onClick } : {})}
  >
    {busy ? (
      <span className="lamp lamp-busy">
        <LampGlyph kind="busy" />
      </span>
    ) : null}
    {children}
  </button>
)

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & Looks & { href: string }

export const ButtonLink = ({ look, size, wide, className, children, ...rest }: ButtonLinkProps) => (
  <a
    {...rest}
    className={buttonClass({ ...(look && { look }), ...(size && { size }), ...(wide && { wide }) }, className)}
  >
    {children}
  </a>
)

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  /** Its action, as the accessible name and tooltip. */
  label: string
  icon: ReactNode
  small?: boolean
  outlined?: boolean
}

export const IconButton = ({
  label,
  icon,
  small = false,
  outlined = false,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) => (
  <button
    {...rest}
    type={type}
    aria-label={label}
    title={label}
    className={clsx('icon-btn', small && 'icon-btn-s', outlined && 'icon-btn-line', className)}
  >
    {icon}
  </button>
)
