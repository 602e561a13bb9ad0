import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import { vi } from 'vitest'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly buttonStyle?: string
  readonly size?: string
  readonly margin?: boolean
  readonly children?: ReactNode
}

/** Replaces Payload's interface in tests of the admin's own screens: a button, toasts, a language, a reader. */
export const Button = ({ buttonStyle: _style, size: _size, margin: _margin, ...rest }: ButtonProps) => (
  <button type="button" {...rest} />
)
export const toast = { success: vi.fn<(text: string) => void>(), error: vi.fn<(text: string) => void>() }
export const reader = { id: 'the-reader', language: 'en' }
export const useTranslation = () => ({ i18n: { language: reader.language } })
export const useAuth = () => ({ user: { id: reader.id } })

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly prefetch?: boolean }
export const Link = ({ prefetch: _prefetch, children, ...rest }: LinkProps) => <a {...rest}>{children}</a>
export const Gutter = ({ className, children }: { className?: string; children?: ReactNode }) => (
  <div className={className}>{children}</div>
)
const setStepNav = () => {}
export const useStepNav = () => ({ setStepNav })
