import { z } from 'zod'
import { ExecutorName, Step } from '../pipelines/definition.ts'

/** The value of a secret is in `environment` or `repository`; `masked` lists what must not appear in a log. */
export const Work = z.object({
  /** What is leased: a job of a build. */
  jobId: z.number().int(),
  buildId: z.number().int(),
  attempt: z.number().int(),
  pipelineId: z.number().int(),
  pipelineName: z.string(),
  number: z.number().int(),
  /** Seconds that the job may take. */
  timeoutSeconds: z.number().int(),
  repository: z
    .object({
      url: z.string(),
      branch: z.string(),
      /** Where the build is of a tag, its branch is empty. */
      tag: z.string().default(''),
      /** Empty: the newest of the branch or tag. */
      commit: z.string(),
      username: z.string(),
      password: z.string(),
      /** Over SSH: the key that git offers, and the host keys that it trusts. */
      privateKey: z.string().default(''),
      knownHosts: z.string().default(''),
      /** The build is of a fork, whose author chose what the repository names: that is fetched without these credentials. */
      fork: z.boolean().default(false),
    })
    .nullable(),
  executor: ExecutorName.default('process'),
  /** What the containers of the job's steps are made of; null: the job names none, or it is gone. */
  image: z.string().nullable().default(null),
  /** Containers that run beside the steps of the job, which reach them by their names. */
  services: z
    .array(
      z.object({
        name: z.string(),
        image: z.string(),
        environment: z.array(z.object({ name: z.string(), value: z.string() })),
        /** Steps begin once something listens there. */
        port: z.number().int().nullable(),
      }),
    )
    .default([]),
  /** The position in the build of the first step; a step is named by its position in every call. */
  firstStep: z.number().int().default(0),
  stages: z.array(z.object({ name: z.string(), steps: z.array(Step) })),
  /**
   * For each step what it still depends on: whether something failed, and outputs. Null: it is left out in any case.
   * Without an entry it runs while nothing has failed, or with `always`.
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
  /** Something has failed in the build before this job. */
  failed: z.boolean().default(false),
  /** The outputs of earlier steps, by `step.KEY` and by `job.step.KEY`. */
  outputs: z.record(z.string(), z.string()).default({}),
  /** Patterns of files that the job hands on when it succeeds. */
  handsOn: z.array(z.string()).default([]),
  /** Under this key the workspace is kept when the job fails, and a later attempt begins with it; null: it is not kept. */
  workspace: z.uuid().nullable().default(null),
  /** A job of several stages, whose later attempt goes on at the stage that failed; null: each attempt runs all its steps. */
  resume: z
    .object({
      /** Under this key the workspace is kept, whole, once a stage has passed. */
      workspace: z.uuid(),
      /**
       * The steps that passed earlier and do not run again, by their positions in the build. They count only with the
       * workspace of the attempt before: without it the agent runs nothing, and ends the job with `agents-workspace-gone`.
       */
      passed: z.array(z.number().int()),
      /** An agent has said so, and all steps run. */
      gone: z.boolean(),
    })
    .nullable()
    .default(null),
  /** Jobs whose files this one begins with, by their position in the build. */
  takesFrom: z.array(z.number().int()).default([]),
  /** The environment of every step, in order: group, pipeline, parameters, the product's own GANTRY_*. */
  environment: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /** The names of the only steps that get it; without them all do. */
      steps: z.array(z.string()).optional(),
    }),
  ),
  masked: z.array(z.string()),
  /** The team's Dockerfiles that the image steps build by. */
  dockerfiles: z.array(z.object({ id: z.number().int(), content: z.string() })).default([]),
  /** The registries that the image steps name. */
  registries: z.array(
    z.object({
      id: z.number().int(),
      url: z.string(),
      username: z.string(),
      password: z.string(),
      insecure: z.boolean(),
      /** PEM of the authority of its certificate, besides the usual ones and the agent's own. */
      ca: z.string().optional(),
      /** Authentication by tokens that the server issues to an image step, and by nothing else. */
      tokens: z.boolean().default(false),
    }),
  ),
})
export type Work = z.infer<typeof Work>
