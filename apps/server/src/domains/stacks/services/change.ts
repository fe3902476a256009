import type { GrayWay } from '@gantry/contract/stacks/copies/copy'
import type { ServiceSpec, ServiceType } from '@gantry/contract/stacks/spec'
import type { z } from 'zod'
import type { Adopted } from '../adoption/adopted.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import type { KeptSpec } from './services.store.ts'

/** The digests that the images of a service are pinned to from the beginning. */
export type Pinned = Pick<KeptSpec, 'digest' | 'pins'>

/** The source of a change that a user did not make in a form. */
export interface Origin {
  by: string
  /** The key of the build step that asks, once. */
  deployKey: string | null
  /** The digest that the image is pinned to, if known. */
  digest: string
  /** The open release of the stack to which the change belongs. */
  release?: number
  /** Services that are made together with the one that is changed. */
  planned?: readonly string[]
  /** The product itself takes back what somebody asked for. */
  byRule?: true
}

/**
 * A change of one service. `revision`: the one on which it is based. An upgrade that is a function is computed from the
 * service once it is locked.
 */
export type Change =
  | {
      type: 'create'
      name: string
      serviceType: ServiceType
      spec: ServiceSpec
      requires?: string[]
      pinned?: Pinned
      /** Of a workload that is there, and is taken over as it runs. */
      adopted?: Adopted
    }
  | {
      type: 'upgrade'
      id: number
      spec: ServiceSpec | ((current: ServiceSpec) => ServiceSpec)
      revision?: number | undefined
      pinned?: Pinned
      /** As it was kept, secrets and digest included, instead of `spec`. */
      kept?: KeptSpec
    }
  /** The new specification takes its place at once: there is nothing to decide. */
  | { type: 'edit'; id: number; spec: ServiceSpec; revision?: number | undefined }
  /** An upgrade to all that it was at a revision. */
  | { type: 'return'; id: number; to: number; revision?: number | undefined }
  /** A copy beside it runs the new specification, and takes over as a whole once that is confirmed. */
  | { type: 'bluegreen'; id: number; spec: ServiceSpec; revision?: number | undefined }
  /** As above, and it gets a rising part of the requests. */
  | ({ type: 'gray'; id: number; spec: ServiceSpec; revision?: number | undefined } & z.output<typeof GrayWay>)
  | { type: 'goOn'; id: number }
  | { type: 'scale'; id: number; replicas: number; revision?: number | undefined }
  /** Autoscaling decides again. */
  | { type: 'resume'; id: number; revision?: number | undefined }
  | { type: 'confirm' | 'rollBack' | 'restart'; id: number }
  /** `why`: the rule of a step that does not hold. */
  | { type: 'cancel'; id: number; why?: Reason }
  /** Its claims stay unless they are to go too. `forget`: even if the cluster no longer answers. */
  | { type: 'remove'; id: number; dropClaims?: boolean; forget?: boolean }
export type ExistingChange = Exclude<Change, { type: 'create' }>
