'use client'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Server } from '#contracts/http/server.ts'

/** Calls `onChange` when the server starts, stops or crashes, and not when the page opens. */
export const useStatusChange = ({ status }: Pick<Server, 'status'>, onChange: () => void): void => {
  const before = useRef(status)
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    if (before.current === status) return
    before.current = status
    changed()
  }, [status])
}
