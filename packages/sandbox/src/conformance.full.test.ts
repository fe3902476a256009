import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { runContract } from './conformance/run.ts'
import { startSandbox, type Sandbox } from './sandbox.ts'

describe('the sandbox', () => {
  const data = mkdtempSync(join(tmpdir(), 'sandbox-'))
  let sandbox: Sandbox | undefined
  afterAll(async () => {
    await sandbox?.stop()
    rmSync(data, { recursive: true })
  })
  runContract(async () => {
    const config = {
      data,
      host: '127.0.0.1',
      kubePort: 0,
      registryPort: 0,
      registryCredential: undefined,
      gatewayClass: true,
      parentPid: undefined,
    }
    sandbox = await startSandbox(config, (error) => {
      throw error
    })
    return { url: sandbox.kubeUrl, token: sandbox.token }
  })
})
