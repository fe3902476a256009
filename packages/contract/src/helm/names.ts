import { z } from 'zod'

/** A chart's name in its repository; in a registry, preceded by its path. */
export const chartName = z
  .string()
  .min(1, 'name-required')
  .max(250, 'name-too-long')
  .regex(/^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/, 'helm-chart-name')
  .refine((name) => !/\.\.|\/\//.test(name), 'helm-chart-name')

/** A SemVer version, with or without a leading v. */
export const chartVersion = z
  .string()
  .max(128, 'helm-chart-version')
  .regex(/^v?\d+(\.\d+){0,2}([-+][0-9A-Za-z.+_-]+)?$/, 'helm-chart-version')

/** A release name that helm accepts. */
export const releaseName = z
  .string()
  .min(1, 'name-required')
  .max(53, 'name-too-long')
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'name-dns-label')
