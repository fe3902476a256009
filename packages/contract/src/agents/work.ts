import { z } from 'zod'
import { ExecutorName, Step } from '../pipelines/definition.ts'

/** The values of secrets are in `environment` or `repository`; `masked` lists what must not appear in a log. */
export const Work = z.object({
  /** The leased job of a build. */
  jobId: z.number().int(),
  buildId: z.number().int(),
  attempt: z.number().int(),
  pipelineId: z.number().int(),
  pipelineName: z.string(),
  number: z.number().int(),
  /** The job's time limit in seconds. */
  timeoutSeconds: z.number().int(),
  repository: z
    .object({
      url: z.string(),
      branch: z.string(),
      /** For a build of a tag, the branch is empty. */
      tag: z.string().default(''),
      /** Empty: the newest commit of the branch or tag. */
      commit: z.string(),
      username: z.string(),
      password: z.string(),
      /** For SSH: the key that git offers, and the host keys that it trusts. */
      privateKey: z.string().default(''),
      knownHosts: z.string().default(''),
      /** The build is of a fork, whose author chose the repository's addresses: they get none of these credentials. */
      fork: z.boolean().default(false),
    })
    .nullable(),
  executor: ExecutorName.default('process'),
  /** The image of the containers of the job's steps; null: the job names none, or the image was deleted. */
  image: z.string().nullable().default(null),
  /** Containers that run beside the steps of the job, which reach them by their names. */
  services: z
    .array(
      z.object({
        name: z.string(),
        image: z.string(),
        environment: z.array(z.object({ name: z.string(), value: z.string() })),
        /** Steps start once this port accepts connections. */
        port: z.number().int().nullable(),
      }),
    )
    .default([]),
  /** The position of the first step in the build; every call names a step by its position. */
  firstStep: z.number().int().default(0),
  stages: z.array(z.object({ name: z.string(), steps: z.array(Step) })),
  /**
   * The remaining conditions of each step: whether something has failed, and outputs. Null: the step is skipped in any
   * case. A step without an entry runs while nothing has failed, or with `always`.
   */
  conditions: z
    .array(
      z
        .object({
          result: z.enum(['success', 'failed', 'always']),
          outputs: z.array(z.object({ name: z.string(), in: z.array(z.string()) })),
        })
        .nullable(),
    )
    .default([]),
  /** A step of the build has failed before this job. */
  failed: z.boolean().default(false),
  /** The outputs of earlier steps, by `step.KEY` and by `job.step.KEY`. */
  outputs: z.record(z.string(), z.string()).default({}),
  /** Patterns of files that the job passes on to later jobs when it succeeds. */
  handsOn: z.array(z.string()).default([]),
  /** The key under which the workspace is kept if the job fails, for a later attempt to start from; null: not kept. */
  workspace: z.uuid().nullable().default(null),
  /** For a job of several stages that resumes at the failed stage; null: each attempt runs all its steps. */
  resume: z
    .object({
      /** The key under which the complete workspace is kept after each passed stage. */
      workspace: z.uuid(),
      /**
       * Positions in the build of steps that passed earlier and do not run again. They need the workspace of the
       * previous attempt: without it the agent runs nothing, and ends the job with `agents-workspace-gone`.
       */
      passed: z.array(z.number().int()),
      /** An agent has reported that the workspace is gone, so all steps run. */
      gone: z.boolean(),
    })
    .nullable()
    .default(null),
  /** Positions in the build of the jobs whose files this one starts with. */
  takesFrom: z.array(z.number().int()).default([]),
  /** The environment of every step, in order: group, pipeline, parameters, the product's own GANTRY_*. */
  environment: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /** Names of the only steps that get the variable; absent: all steps. */
      steps: z.array(z.string()).optional(),
    }),
  ),
  masked: z.array(z.string()),
  /** The team's Dockerfiles that the image steps use. */
  dockerfiles: z.array(z.object({ id: z.number().int(), content: z.string() })).default([]),
  /** The registries that the image steps name. */
  registries: z.array(
    z.object({
      id: z.number().int(),
      url: z.string(),
      username: z.string(),
      password: z.string(),
      insecure: z.boolean(),
      /** PEM of the authority of its certificate, in addition to the usual ones and the agent's own. */
      ca: z.string().optional(),
      /** The registry accepts only tokens that the server issues to an image step. */
      tokens: z.boolean().default(false),
    }),
  ),
})
export type Work = z.infer<typeof Work>
