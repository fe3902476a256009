import type { Manifest } from '@gantry/oci/manifests'
import { z } from 'zod'

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
  /** The digest of the reference: of the index, for a multi-platform image. */
  digest: string
  /** Compressed size of its layers, in bytes. */
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

export function imageOf(digest: string, { layers = [] }: Manifest, config: Config): ImageDetails {
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
