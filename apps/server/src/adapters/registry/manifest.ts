import { z } from 'zod'

export const Descriptor = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerList: 'application/vnd.docker.distribution.manifest.list.v2+json',
} as const

export const manifestTypes = Object.values(Descriptor).join(', ')

const digest = z.string().regex(/^sha(256:[0-9a-f]{64}|512:[0-9a-f]{128})$/)
const descriptor = z.object({ mediaType: z.string().optional(), digest, size: z.number().nonnegative() })
const platform = z.object({ os: z.string(), architecture: z.string(), variant: z.string().optional() })

/** An image's manifest, or an index of those of its platforms; Docker's and OCI's forms are alike here. */
export const Manifest = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.string().optional(),
  config: descriptor.optional(),
  layers: z.array(descriptor).max(1000).optional(),
  manifests: z
    .array(descriptor.extend({ platform: platform.optional() }))
    .max(1000)
    .optional(),
})
export type Manifest = z.infer<typeof Manifest>

const strings = z.array(z.string()).nullish()
const record = z.record(z.string(), z.unknown()).nullish()

export const Config = z.object({
  created: z.string().optional(),
  author: z.string().optional(),
  architecture: z.string().optional(),
  os: z.string().optional(),
  config: z
    .object({
      User: z.string().nullish(),
      Env: strings,
      Entrypoint: strings,
      Cmd: strings,
      WorkingDir: z.string().nullish(),
      ExposedPorts: record,
      Labels: z.record(z.string(), z.string()).nullish(),
    })
    .nullish(),
})
export type Config = z.infer<typeof Config>

export interface ImageDetails {
  /** What the reference means: the index's, for an image of several platforms. */
  digest: string
  /** Bytes of its layers, as they are stored. */
  size: number
  layers: number
  createdAt: string | null
  os: string
  architecture: string
  user: string
  entrypoint: string[]
  command: string[]
  environment: string[]
  workingDirectory: string
  /** As `80/tcp`. */
  ports: string[]
  labels: Record<string, string>
}

export function imageOf(digest: string, { manifest }: { manifest: Manifest }, config: Config): ImageDetails {
  const layers = manifest.layers ?? []
  const run = config.config ?? {}
  return {
    digest,
    size: layers.reduce((sum, layer) => sum + layer.size, 0),
    layers: layers.length,
    createdAt: config.created ?? null,
    os: config.os ?? '',
    architecture: config.architecture ?? '',
    user: run.User ?? '',
    entrypoint: run.Entrypoint ?? [],
    command: run.Cmd ?? [],
    environment: run.Env ?? [],
    workingDirectory: run.WorkingDir ?? '',
    ports: Object.keys(run.ExposedPorts ?? {}),
    labels: run.Labels ?? {},
  }
}
