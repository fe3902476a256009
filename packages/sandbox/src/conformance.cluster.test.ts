import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { accessOf } from './conformance/trial/client.ts'
import { runContract } from './conformance/run.ts'

const script = join(process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../../shared'), 'kube/kube')

describe.skipIf(!existsSync(script))('a real cluster (needs the lab’s kube)', () => {
  runContract(async () => {
    // the kinds of the Gateway API, and a controller for them
    execFileSync(script, ['gateway'], { stdio: 'ignore' })
    const output = execFileSync(script, ['env'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const value = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(output)?.[1] ?? ''
    return accessOf(value('KUBECONFIG'), value('KUBE_BIN'))
  })
})
