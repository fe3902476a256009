import { messageOf } from './log.ts'
import type { Reason } from './protocol.ts'

/** Every cause that the agent itself reports. Their texts are in the phrases `agents` and `git`. */
export type ReasonKey =
  | 'agents-script-failed'
  | 'agents-script-killed'
  | 'agents-limit-memory'
  | 'agents-limit-processes'
  | 'agents-limit-disk'
  | 'agents-step-timed-out'
  | 'agents-build-timed-out'
  | 'agents-stopped'
  | 'agents-step-lost'
  | 'agents-workspace-gone'
  | 'agents-storage-full'
  | 'agents-server-storage-full'
  | 'agents-server-refused'
  | 'agents-log-too-long'
  | 'agents-no-files'
  | 'agents-too-many-files'
  | 'agents-workspace-link'
  | 'agents-file-too-large'
  | 'agents-file-refused'
  | 'agents-file-changed'
  | 'agents-files-not-taken'
  | 'agents-cache-not-unpacked'
  | 'agents-output-invalid'
  | 'agents-outputs-too-large'
  | 'agents-report-invalid'
  | 'agents-coverage-invalid'
  | 'agents-coverage-low'
  | 'agents-coverage-dropped'
  | 'agents-scan-invalid'
  | 'agents-scan-refused'
  | 'agents-tests-failed'
  | 'agents-no-repository'
  | 'agents-address-refused'
  | 'agents-git-missing'
  | 'agents-git-failed'
  | 'agents-git-redirected'
  | 'agents-git-unreachable'
  | 'agents-git-untrusted'
  | 'agents-commit-unknown'
  | 'agents-isolation-unavailable'
  | 'agents-registry-unknown'
  | 'agents-registry-wrong-password'
  | 'agents-registry-denied'
  | 'agents-registry-unreachable'
  | 'agents-registry-untrusted'
  | 'agents-registry-not-one'
  | 'agents-registry-refused'
  | 'agents-registry-realm'
  | 'agents-registry-token'
  | 'agents-mail-secret'
  | 'agents-copy-from'
  | 'agents-copy-missing'
  | 'agents-base-missing'
  | 'agents-base-unusable'
  | 'agents-tag-invalid'
  | 'agents-dockerfile-unknown'
  | 'agents-dockerfile-missing'
  | 'agents-context-missing'
  | 'agents-engine-missing'
  | 'agents-containers-missing'
  | 'agents-container-failed'
  | 'agents-image-missing'
  | 'agents-image-not-pulled'
  | 'agents-service-failed'
  | 'agents-service-ended'
  | 'agents-service-silent'
  | 'agents-cluster-refused'
  | 'agents-pod-image'
  | 'agents-pod-evicted'
  | 'agents-pod-deleted'
  | 'agents-pod-failed'
  | 'agents-image-failed'
  | 'agents-image-invalid'
  | 'agents-deploy-refused'
  | 'agents-scanner-missing'
  | 'agents-scanner-failed'
  | 'agents-no-analysis'
  | 'agents-terminal-step-over'
  | 'agents-terminal-step-waits'
  | 'agents-terminal-role'
  | 'agents-terminal-step-ended'
  | 'agents-terminal-workspace-gone'
  | 'agents-terminal-workspace-open'
  | 'agents-terminal-workspace-taken'
  | 'agents-terminal-many'
  | 'agents-terminal-failed'
  | 'agents-defect'
  | 'git-wrong-password'
  | 'git-ssh-missing'
  | 'git-key-needed'
  | 'git-key-refused'
  | 'git-key-invalid'
  | 'git-host-key-changed'
  | 'git-password-needed'
  | 'git-forbidden'
  | 'git-not-found'
  | 'git-no-repository'
  | 'git-server-error'
  | 'git-branch-unknown'
  | 'git-branch-invalid'

export function reason(key: ReasonKey, vars: Record<string, string | number> = {}): Reason {
  return {
    key,
    vars: Object.fromEntries(
      Object.entries(vars).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, 4000) : value]),
    ),
  }
}

/** Fails a step with a cause that a user can act on. Anything else that is thrown is a defect, and reported as one. */
export class StepFailure extends Error {
  readonly reason: Reason
  constructor(key: ReasonKey, vars: Record<string, string | number> = {}) {
    super(key)
    this.reason = reason(key, vars)
  }
}

/** An unexpected failure, in words for the build's users; the agent's log has the details. */
export const defect = (cause: unknown): StepFailure =>
  new StepFailure('agents-defect', { message: withoutPaths(cause) })

/** The message without paths of the agent's machine, which builds must not see. */
export function withoutPaths(cause: unknown): string {
  const { code, syscall } = (cause ?? {}) as NodeJS.ErrnoException
  if (code !== undefined && syscall !== undefined) return `${syscall}: ${code}`
  return messageOf(cause).replaceAll(/(?<![\w.:/])\/[^\s'":;,()]+/g, '…')
}
