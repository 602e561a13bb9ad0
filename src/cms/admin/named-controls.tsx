'use client'

import { useTranslation } from '@payloadcms/ui'
import { type ReactNode, useEffect } from 'react'
import { nameControls } from './name-controls.ts'

/** Keeps the controls of Payload's views named, also those that appear later. */
export const NamedControls = ({ children }: { children?: ReactNode }) => {
  const { language } = useTranslation().i18n
  useEffect(() => {
    let frame = 0
    const name = () => {
      frame = 0
      nameControls(document, language)
    }
    const observer = new MutationObserver(() => {
      if (frame === 0) frame = requestAnimationFrame(name)
    })
    name()
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [language])
  return <>{children}</>
}
