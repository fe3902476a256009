import { z } from 'zod'
import { chartName, chartVersion, releaseName } from '../../helm/names.ts'
import { uuid } from '../../ids.ts'
import { dictionary } from '../../validators.ts'
import { common } from './common.ts'

/**
 * Steps that deploy more than one service, done by the server for whoever the build runs for. In values and inputs
 * `${outputs.step.KEY}` stands for an output and `${variables.NAME}` for a variable.
 */

const timeoutMinutes = z.number().int().min(1, 'timeout-range').max(1440, 'timeout-range').default(10)

/** Installs a chart into a stack, or upgrades the release of that name there, and waits until helm has done so. */
export const HelmStep = z.strictObject({
  ...common,
  type: z.literal('helm'),
  stackUuid: uuid,
  release: releaseName,
  repositoryId: z.number().int().min(1, 'step-helm-repository'),
  chart: chartName,
  version: chartVersion,
  /** YAML: what differs from the values of the chart, and of the last deployment. */
  values: z.string().max(100_000, 'value-too-long').default(''),
  timeoutMinutes,
})

/** Upgrades a stack with a version of a product, as one release, and waits until all of it is ready. */
export const BlueprintStep = z.strictObject({
  ...common,
  type: z.literal('blueprint'),
  stackUuid: uuid,
  blueprintId: z.number().int().min(1, 'step-blueprint-required'),
  /** Texts, which are read as the types of the inputs. */
  inputs: dictionary(z.string().max(60), z.string().max(4096, 'value-too-long'), 50).default({}),
  /** Whether the release is confirmed when it is ready, or waits for a user. */
  confirm: z.boolean().default(true),
  timeoutMinutes,
})
