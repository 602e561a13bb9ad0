'use client'
import { useState } from 'react'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from '../file-trouble.ts'
import { useTroubleText } from '../trouble-text.ts'

/** The part of a change that could not be undone, and why. */
export type Rest<Change> = { readonly left: Change | null; readonly failure: unknown }

type Sayings<Change> = {
  readonly undone: (change: Change) => string
  /** For the trouble `CHANGED`: the file stays as somebody else has left it. */
  readonly changed: (path: string) => string
  /** Whether the way back is given up once the file has changed. */
  readonly endsWhenChanged?: boolean
}

/** Does and undoes one change of files; each failure is a toast, and leaves them as they are. */
export const useFileFix = <Change>({ undone, changed, endsWhenChanged = true }: Sayings<Change>) => {
  const toast = useToast()
  const troubleText = useTroubleText()
  const [change, setChange] = useState<Change | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (path: string, act: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await act()
    } catch (error) {
      const isTrouble = error instanceof FileTrouble
      const isChanged = isTrouble && error.code === 'CHANGED'
      const about = (isTrouble ? error.path : undefined) ?? path
      if (isChanged && endsWhenChanged) setChange(null)
      toast({ lamp: 'crash', text: isChanged ? changed(about) : troubleText(error, about) })
    } finally {
      setBusy(false)
    }
  }
  return {
    change,
    isBusy,
    /** There is no way back any more. */
    forget: () => setChange(null),
    apply: (path: string, act: () => Promise<Change>) => run(path, async () => setChange(await act())),
    undo: (path: string, act: (change: Change) => Promise<Rest<Change> | void>) =>
      run(path, async () => {
        if (change === null) return
        const rest = (await act(change)) ?? { left: null, failure: undefined }
        setChange(rest.left)
        if (rest.failure !== undefined) throw rest.failure
        toast({ lamp: 'done', text: undone(change) })
      }),
  }
}
