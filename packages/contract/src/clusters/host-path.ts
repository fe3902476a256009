import { z } from 'zod'

/** Whether a path does not lead above its beginning. */
export const staysInside = (path: string): boolean => !path.split('/').includes('..')

/** A folder of a host, but not its root. */
export const hostPath = z
  .string()
  .max(1024, 'path-format')
  .regex(/^\/[^\s\0]*$/, 'storage-path-root')
  .refine(staysInside, 'storage-path-up')
  .refine((path) => path.split('/').some((part) => part !== '' && part !== '.'), 'storage-path-root')
