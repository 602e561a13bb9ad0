'use client'
import { createContext, useCallback, useContext, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../signs/icon.tsx'
import { LampGlyph } from '../signs/lamp.tsx'
import type { LampKind } from '../signs/lamp.tsx'

export type ToastInput = {
  text: ReactNode
  lamp?: LampKind
  action?: { label: string; run: () => void }
  /** How long it stays; 0 stays until closed. */
  durationMs?: number
}
type Shown = ToastInput & { id: number }

const ToastContext = createContext<((toast: ToastInput) => () => void) | null>(null)

/** Shows a short message at the edge of the page, and returns how to close it; needs the ToastProvider above it. */
export const useToast = () => {
  const show = useContext(ToastContext)
  if (!show) throw new Error('useToast needs a ToastProvider above it')
  return show
}

export const ToastProvider = ({ children, closeLabel }: { children: ReactNode; closeLabel: string }) => {
  const [shown, setShown] = useState<readonly Shown[]>([])
  const next = useRef(0)
  const close = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), [])
  const show = useCallback(
    (toast: ToastInput) => {
      next.current += 1
      const id = next.current
      setShown((all) => [...all.slice(-3), { ...toast, id }])
      const durationMs = toast.durationMs ?? 10_000
      if (durationMs > 0) setTimeout(() => close(id), durationMs)
      return () => close(id)
    },
    [close],
  )
  const rows = useMemo(
    () =>
      shown.map((toast) => (
        <div className="toast" key={toast.id}>
          {toast.lamp ? <LampGlyph kind={toast.lamp} /> : null}
          <span className="grow">{toast.text}</span>
          <span className="end">
            {toast.action ? (
              <button
                type="button"
                className="btn btn-s"
                onClick={() => {
                  toast.action?.run()
                  close(toast.id)
                }}
              >
                {toast.action.label}
              </button>
            ) : null}
            <button
              type="button"
              className="icon-btn icon-btn-s"
              aria-label={closeLabel}
              onClick={() => close(toast.id)}
            >
              <Icon name="close" />
            </button>
          </span>
        </div>
      )),
    [shown, close, closeLabel],
  )
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status">
        {rows}
      </div>
    </ToastContext>
  )
}
