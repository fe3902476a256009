import type { V1ObjectMeta } from '@kubernetes/client-node'

/**
 * The wire form of a type of the client library: times are strings, and the few names that the library writes with an
 * underscore (`_continue`, `_from`) have none.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [K in keyof T as K extends `_${infer Name}` ? Name : K]: Wire<T[K]> }
      : T

/** The field manager of server-side apply: by this name the API server records the fields that the product owns. */
export const fieldManager = 'gantry'

export type Meta = Wire<V1ObjectMeta>

/** The fields of every stored object. */
export interface KubeObject {
  apiVersion?: string
  kind?: string
  metadata?: Meta
}

/** Names an object within its kind. Cluster-wide kinds have no namespace. */
export interface Ref {
  name: string
  namespace?: string | undefined
}

export const refOf = (object: KubeObject): Ref => ({
  name: object.metadata?.name ?? '',
  namespace: object.metadata?.namespace,
})
