import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { Pins } from '../revisions/pins.ts'
import { sameSecrets, withoutSecrets } from './secret-values.ts'
import type { KeptSpec } from './services.store.ts'

/** A service before a release; a rollback restores exactly this. */
export const KeptService = z.object({
  spec: ServiceSpec,
  secrets: z.string().nullable(),
  digest: z.string(),
  pins: Pins.nullable().default(null),
  requires: z.array(z.string()),
})
export type KeptService = z.infer<typeof KeptService>

interface Comparison {
  isSame: boolean
  /** The wanted specification with masked secrets. */
  masked: ServiceSpec
  secretDiffers: boolean
}

/** Compares a service with a wanted specification, including secrets. A masked secret stands for the stored one. */
export function comparison(
  ctx: Pick<Ctx, 'keys' | 'secrets'>,
  now: Pick<KeptSpec, 'spec' | 'secrets'>,
  wanted: ServiceSpec,
): Comparison {
  const { spec: masked, secrets } = withoutSecrets(ctx, wanted, now.secrets)
  const secretDiffers = !sameSecrets(ctx, now.secrets, secrets)
  return { isSame: !secretDiffers && JSON.stringify(masked) === JSON.stringify(now.spec), masked, secretDiffers }
}
