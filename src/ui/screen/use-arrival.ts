import { useEffect, useRef } from 'react'

/** The address may point to a part of the page before its data are loaded: it is scrolled to once. */
export const useArrival = (id: string) => {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (window.location.hash === `#${id}`) ref.current?.scrollIntoView()
  }, [id])
  return ref
}
