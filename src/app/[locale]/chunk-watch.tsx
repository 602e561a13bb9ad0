'use client'
import { useEffect } from 'react'
import { isChunkFailure, reloadOnce } from '@/lib/errors/chunk-reload.ts'

const onError = (event: ErrorEvent | Event) => {
  const failedScript = event.target instanceof HTMLScriptElement && event.target.src.includes('/_next/')
  if (failedScript || (event instanceof ErrorEvent && isChunkFailure(event.error))) reloadOnce(Date.now())
}
const onRejection = (event: PromiseRejectionEvent) => {
  if (isChunkFailure(event.reason)) reloadOnce(Date.now())
}

/** After a new build an old tab requests code that is gone: it reloads once to update. */
export const ChunkWatch = () => {
  useEffect(() => {
    window.addEventListener('error', onError, true)
    window.addEventListener('unhandledrejection', onRejection)
    return () => {
      window.removeEventListener('error', onError, true)
      window.removeEventListener('unhandledrejection', onRejection)
    }
  }, [])
  return null
}
