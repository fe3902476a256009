import { z } from 'zod'
import { dictionary, envKey, refName } from '../../validators.ts'
import { common } from './common.ts'

/** Steps that the server runs itself once the job has reached them, because it can reach what agents may not. */

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/

/**
 * Calls a URL, under the same rules for addresses as every call of the server. In the address, in the values of headers
 * and in the body `${outputs.step.KEY}` is replaced by an output and `${variables.NAME}` by a variable.
 */
export const HttpStep = z.strictObject({
  ...common,
  type: z.literal('http'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  url: z
    .string()
    .max(2000, 'value-too-long')
    .regex(/^https?:\/\/\S+$/, 'step-http-url'),
  headers: z
    .array(
      z.strictObject({
        name: z.string().max(100, 'step-http-header').regex(headerName, 'step-http-header'),
        value: z
          .string()
          .max(8192, 'value-too-long')
          .regex(/^[^\r\n\0]*$/, 'step-http-header'),
      }),
    )
    .max(50, 'list-too-long')
    .default([]),
  body: z.string().max(100_000, 'value-too-long').default(''),
  /** The statuses that count as success; by default 200 to 299. */
  statuses: z
    .array(z.number().int().min(100, 'step-http-status').max(599, 'step-http-status'))
    .max(50, 'list-too-long')
    .default([]),
  timeoutSeconds: z.number().int().min(1, 'step-http-timeout').max(120, 'step-http-timeout').default(30),
})

/**
 * Sends a mail through the installation's mail server to members of the team, by their user names, and to addresses. In
 * the subject and the text `${outputs.step.KEY}` is replaced by an output and `${variables.NAME}` by a variable; a
 * secret in them fails the step.
 */
export const MailStep = z.strictObject({
  ...common,
  type: z.literal('mail'),
  to: z
    .array(
      z
        .string()
        .trim()
        .min(1, 'mail-step-to')
        .max(254, 'mail-step-to')
        .regex(/^[^\s,;<>"]*$/, 'mail-step-to'),
    )
    .min(1, 'mail-step-to')
    .max(50, 'list-too-long'),
  subject: z
    .string()
    .trim()
    .min(1, 'mail-step-subject')
    .max(200, 'mail-step-subject')
    .regex(/^\P{Cc}*$/u, 'mail-step-subject'),
  text: z.string().min(1, 'mail-step-text').max(20_000, 'value-too-long'),
})

/** The most pipelines that may start one another in a row. */
export const pipelineDepth = 5

/** Starts another pipeline of the team, with the rights of this build's user. */
export const PipelineStep = z.strictObject({
  ...common,
  type: z.literal('pipeline'),
  pipelineId: z.number().int().min(1, 'step-pipeline-required'),
  /** Empty: the branch in that pipeline's settings. */
  branch: z.union([z.literal(''), refName('branch')]).default(''),
  /** In a value, `${outputs.step.KEY}` is replaced by an output. */
  parameters: dictionary(envKey, z.string().max(4096, 'value-too-long'), 50).default({}),
  /** Whether the step waits for the build that it starts, and ends with its result. */
  wait: z.boolean().default(true),
})
