import type { Store } from './store/store.ts'

/** What every part of the simulated cluster works on. */
export interface Cluster {
  store: Store
  /** Milliseconds since the epoch. */
  now(): number
  /** The simulated container registry: what an image reference resolves to. */
  images: Images
}

/** What is known of an image once it is pulled. */
export interface PulledImage {
  /** `host/repository@sha256:…`, or for an image that nobody pushed here a digest made from its name. */
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
  /** Throws an `Error` with the container runtime's words where the image cannot be had. */
  pull(image: string, credentials: RegistryCredential[]): PulledImage
}

export interface RegistryCredential {
  host: string
  username: string
  password: string
}
