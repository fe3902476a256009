import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { labCluster } from './lab.ts'

/** Returns the output. Never blocks this process: a server that is blocked for a second refuses calls. */
export type Kubectl = (args: string[], input?: object) => Promise<string>

export const kubectlOf =
  ({ bin, kubeconfig }: NonNullable<ReturnType<typeof labCluster>>): Kubectl =>
  async (args, input) => {
    const running = promisify(execFile)(join(bin, 'kubectl'), ['--kubeconfig', kubeconfig, ...args])
    running.child.stdin?.end(input && JSON.stringify(input))
    return (await running).stdout.trim()
  }
