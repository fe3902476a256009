import { flushCompileCache } from 'node:module'
import { ConfigError, readConfig } from './config.ts'
import { LockedError } from './lock.ts'
import { startSandbox } from './sandbox.ts'

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
/** Errors of the environment: only their message helps, not a stack trace. */
const systemFaults = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'EPERM', 'ENOTDIR', 'EROFS', 'ENOSPC'])

const onError = (error: unknown): void =>
  say({
    level: 'error',
    time: new Date().toISOString(),
    msg: error instanceof Error ? (error.stack ?? error.message) : String(error),
  })

try {
  const config = readConfig(process.env)
  const sandbox = await startSandbox(config, onError)
  const { kubeUrl, registry, kubeconfig, registryKey } = sandbox

  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    sandbox.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        onError(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  const { parentPid } = config
  if (parentPid !== undefined) {
    const born = process.ppid
    // Our own parent may have ended without being reaped; then our parent pid has changed.
    setInterval(() => (isAlive(parentPid) && process.ppid === born) || end(), 1000)
  }
  const msg = 'sandbox ready (everything in it is simulated)'
  say({ level: 'info', msg, kube: kubeUrl, registry, kubeconfig, registryKey })
  // So that the next start need not compile and strip types again, even if this process is killed.
  flushCompileCache()
} catch (error) {
  const code = (error as NodeJS.ErrnoException).code
  const plain =
    error instanceof ConfigError || error instanceof LockedError || (code !== undefined && systemFaults.has(code))
  process.stderr.write(
    `sandbox: ${error instanceof Error ? (plain ? error.message : (error.stack ?? error.message)) : String(error)}\n`,
  )
  process.exit(1)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
