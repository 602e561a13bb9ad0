/** The size of a server: processor in percent of one core, memory and disk in MiB. */
export type Limits = { readonly cpuPercent: number; readonly memoryMiB: number; readonly storageMiB: number }
