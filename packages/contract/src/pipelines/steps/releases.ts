import { z } from 'zod'
import { chartName, chartVersion, releaseName } from '../../helm/names.ts'
import { uuid } from '../../ids.ts'
import { dictionary } from '../../validators.ts'
import { common } from './common.ts'

/**
 * Steps that deploy more than one service. The server runs them, with the rights of the build's user. In values and
 * inputs `${outputs.step.KEY}` is replaced by an output and `${variables.NAME}` by a variable.
 */

const timeoutMinutes = z.number().int().min(1, 'timeout-range').max(1440, 'timeout-range').default(10)

/** Installs a chart to a stack, or upgrades its release of that name, and waits until helm has finished. */
export const HelmStep = z.strictObject({
  ...common,
  type: z.literal('helm'),
  stackUuid: uuid,
  release: releaseName,
  repositoryId: z.number().int().min(1, 'step-helm-repository'),
  chart: chartName,
  version: chartVersion,
  /** YAML of the values that differ from the chart's and from the last deployment's. */
  values: z.string().max(100_000, 'value-too-long').default(''),
  timeoutMinutes,
})

/** Upgrades a stack to a version of a product, as one release, and waits until everything in it is ready. */
export const BlueprintStep = z.strictObject({
  ...common,
  type: z.literal('blueprint'),
  stackUuid: uuid,
  blueprintId: z.number().int().min(1, 'step-blueprint-required'),
  /** Texts, which are converted to the types of the inputs. */
  inputs: dictionary(z.string().max(60), z.string().max(4096, 'value-too-long'), 50).default({}),
  /** Whether the release is confirmed as soon as it is ready, or waits for a user. */
  confirm: z.boolean().default(true),
  timeoutMinutes,
})
