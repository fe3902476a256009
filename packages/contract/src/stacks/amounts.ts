import { z } from 'zod'

/** Limits of cores and GiB: far beyond any cluster, but every sum of them is still exact. */
export const maxCores = 1_000_000
export const maxGib = 10_000_000

/** CPU in cores: `0.25`, `2`, or Kubernetes' `250m`. Above 0. */
export const Cpu = z
  .string()
  .max(20, { error: 'cpu-format', abort: true })
  .regex(/^(\d+m|\d+(\.\d{1,3})?)$/, 'cpu-format')
  .refine((s) => Number.parseFloat(s) > 0, 'cpu-positive')
  .refine((s) => cpuCores(s) <= maxCores, 'cpu-maximum')

/** Memory with its unit, at least 4 MiB: `64Mi`, `1Gi`, `500M`. */
export const Memory = z
  .string()
  .max(20, { error: 'memory-format', abort: true })
  .regex(/^\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$/, 'memory-format')
  .refine((s) => memoryBytes(s) >= 4_000_000, 'memory-minimum')
  .refine((s) => memoryBytes(s) <= maxGib * 2 ** 30, 'memory-maximum')

const memoryUnits: Record<string, number> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
}

/** Bytes of a memory amount as in `Memory`. */
export function memoryBytes(amount: string): number {
  const [, figure = '0', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(amount) ?? []
  return Number(figure) * (memoryUnits[unit] ?? 1)
}

/** Cores of a CPU amount as in `Cpu`. */
export const cpuCores = (amount: string): number =>
  amount.endsWith('m') ? Number(amount.slice(0, -1)) / 1000 : Number(amount)

/** Disk space with its unit, above 0: `20Gi`. */
export const Storage = z
  .string()
  .max(20, { error: 'storage-format', abort: true })
  .regex(/^\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$/, 'storage-format')
  .refine((s) => memoryBytes(s) > 0, 'storage-positive')
  .refine((s) => memoryBytes(s) <= maxGib * 2 ** 30, 'storage-maximum')
