import type { GrayWay } from '@gantry/contract/stacks/copies/copy'
import type { ServiceSpec, ServiceType } from '@gantry/contract/stacks/spec'
import type { z } from 'zod'
import type { Adopted } from '../adoption/adopted.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import type { KeptSpec } from './services.store.ts'

/** The digests that the images of a new specification are pinned to. */
export type Pinned = Pick<KeptSpec, 'digest' | 'pins'>

/** The source of a change that a user did not make in a form. */
export interface Origin {
  by: string
  /** The key of the build step that requests it, once. */
  deployKey: string | null
  /** The digest that the image is pinned to, if known. */
  digest: string
  /** The open release of the stack to which the change belongs. */
  release?: number
  /** Services that are created together with the changed one. */
  planned?: readonly string[]
  /** The product itself rolls back a user's change. */
  byRule?: true
}

/**
 * A change of one service. `revision` is the one that it is based on. An upgrade that is a function is computed from
 * the service once it is locked.
 */
export type Change =
  | {
      type: 'create'
      name: string
      serviceType: ServiceType
      spec: ServiceSpec
      requires?: string[]
      pinned?: Pinned
      /** Of an existing workload, which is taken over while it runs. */
      adopted?: Adopted
    }
  | {
      type: 'upgrade'
      id: number
      spec: ServiceSpec | ((current: ServiceSpec) => ServiceSpec)
      revision?: number | undefined
      pinned?: Pinned
      /** A stored service with secrets and digest, used instead of `spec`. */
      kept?: KeptSpec
    }
  /** The new specification is applied at once, without a decision. */
  | { type: 'edit'; id: number; spec: ServiceSpec; revision?: number | undefined }
  /** An upgrade to everything that the service was at a revision. */
  | { type: 'return'; id: number; to: number; revision?: number | undefined }
  /** A copy beside the service runs the new specification, and takes over as a whole once confirmed. */
  | { type: 'bluegreen'; id: number; spec: ServiceSpec; revision?: number | undefined }
  /** As above, but it gets a rising part of the requests. */
  | ({ type: 'gray'; id: number; spec: ServiceSpec; revision?: number | undefined } & z.output<typeof GrayWay>)
  | { type: 'goOn'; id: number }
  | { type: 'scale'; id: number; replicas: number; revision?: number | undefined }
  /** Resumes autoscaling. */
  | { type: 'resume'; id: number; revision?: number | undefined }
  | { type: 'confirm' | 'rollBack' | 'restart'; id: number }
  /** `why`: the rule of a step that was broken. */
  | { type: 'cancel'; id: number; why?: Reason }
  /** Its claims are kept without `dropClaims`. `forget`: even if the cluster no longer answers. */
  | { type: 'remove'; id: number; dropClaims?: boolean; forget?: boolean }
export type ExistingChange = Exclude<Change, { type: 'create' }>
