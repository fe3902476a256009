import type { Store } from './store/store.ts'

/** The context of every part of the simulated cluster. */
export interface Cluster {
  store: Store
  /** Milliseconds since the epoch. */
  now(): number
  /** The simulated container registry: what an image reference resolves to. */
  images: Images
}

/** Details of a pulled image. */
export interface PulledImage {
  /** `host/repository@sha256:…`; for an image that was not pushed here, the digest is made from its name. */
  id: string
  digest: string
  size: number
  env: string[]
  entrypoint: string[]
  command: string[]
  workingDir: string
  labels: Record<string, string>
}

export interface Images {
  /** Throws an `Error` with the container runtime's text if the image cannot be pulled. */
  pull(image: string, credentials: RegistryCredential[]): PulledImage
}

export interface RegistryCredential {
  host: string
  username: string
  password: string
}
