'use client'
import { useEffect, useState } from 'react'

let hasPainted = false

/** Whether this part is one of the page's first paint: then it is in the page as the site sends it, and must not depend on time. */
export const useFirstPaint = (): boolean => {
  const [isFirst] = useState(() => !hasPainted)
  useEffect(() => {
    hasPainted = true
  }, [])
  return isFirst
}
