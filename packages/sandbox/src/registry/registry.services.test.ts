import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { registryConformance } from './conformance.ts'

const script = join(
  process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../../../shared'),
  'services/registry',
)

describe.skipIf(!existsSync(script))('a real registry (needs the lab’s registry)', () => {
  registryConformance(async () => {
    const output = execFileSync(script, ['up'], { encoding: 'utf8' })
    const value = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(output)?.[1] ?? ''
    return { url: value('REGISTRY_URL'), username: value('REGISTRY_USER'), password: value('REGISTRY_PASSWORD') }
  })
})
