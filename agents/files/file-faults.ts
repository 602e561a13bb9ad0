import type { FaultPoint } from '#platform/fault-point.ts'

/** Every step of an operation on files between two changes of the disk; tests interrupt each of them. */
export const FILE_FAULTS = [
  'place.journalled',
  'place.linked',
  'place.unlinked',
  'place.renaming',
  'bin.made',
  'bin.recorded',
  'bin.taken',
  'bin.keeping',
  'bin.leaving',
  'restore.placed',
  'destroy.moved',
  'copy.complete',
  'compress.complete',
  'extract.unpacked',
  'extract.ready',
  'extract.placing',
  'extract.placed',
  'receive.complete',
  'write.begun',
  'write.complete',
  'write.placed',
  'upload.created',
  'upload.written',
  'upload.recorded',
] as const
export type FileFaultPoint = FaultPoint<(typeof FILE_FAULTS)[number]>
