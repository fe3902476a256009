import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const program = join(import.meta.dirname, '../../../packages/sandbox/src/main.ts')

/** The product's own sandbox, started as a process of its own, with a data folder of its own. */
export async function startSandbox(): Promise<{ kubeconfig: string; registry: string; stop: () => Promise<void> }> {
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
    const told: { kubeconfig?: string; registry?: string } = JSON.parse(line)
    if (told.kubeconfig !== undefined && told.registry !== undefined) {
      child.stdout.resume()
      return { kubeconfig: told.kubeconfig, registry: told.registry, stop }
    }
  }
  await stop()
  throw new Error('the sandbox ended before it was ready')
}
