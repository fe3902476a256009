import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const program = join(import.meta.dirname, '../../../packages/sandbox/src/main.ts')

interface Started {
  kubeconfig: string
  registry: string
  registryKey: string
  stop: () => Promise<void>
}

/** Starts the product's sandbox as a process with its own data folder. */
export async function startSandbox(): Promise<Started> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-sandbox-'))
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SANDBOX_DATA: data, SANDBOX_PARENT_PID: String(process.pid) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
    rmSync(data, { recursive: true, force: true })
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const told: Partial<Started> = JSON.parse(line)
    const { kubeconfig, registry, registryKey } = told
    if (kubeconfig !== undefined && registry !== undefined && registryKey !== undefined) {
      child.stdout.resume()
      return { kubeconfig, registry, registryKey, stop }
    }
  }
  await stop()
  throw new Error('the sandbox ended before it was ready')
}
