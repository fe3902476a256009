import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { connectScript, keyFile, knownAs, sshConfig } from '@gantry/agent-protocol/git-ssh'
import { readSshUrl, type SshAddress } from '@gantry/contract/pipelines/repository-url'
import type { CheckoutStep } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'
import { sshKey } from '../executors/executor.ts'
import { openFile } from '../files.ts'
import { StepFailure } from '../reasons.ts'
import { type CheckedOut, spoolOf, workOf, writeCheckedOut } from '../workspace/workspace.ts'
import { checkoutScript, gitEnvironment, gitReason, isCommit, isRefName } from './git.ts'
import { endedOtherwise, runCommand } from './script.ts'
import { success, type StepContext, type StepResult } from './step.ts'

/**
 * Clones into the workspace as the step's own user. It runs like a user's script, so it is isolated, stopped and
 * adopted like one. git gets the password in its environment, and it is in no file of the workspace.
 */
export async function runCheckout(ctx: StepContext<z.output<typeof CheckoutStep>>): Promise<StepResult> {
  const { repository } = ctx.work
  if (repository === null) throw new StepFailure('agents-no-repository')
  const { url, branch, tag, commit } = repository
  const ref = tag === '' ? branch : tag
  const ssh = readSshUrl(url)
  if (!ssh && !/^https?:\/\/[^\s\\]+$/i.test(url)) throw new StepFailure('git-not-found', { url })
  if (!isRefName(ref)) throw new StepFailure('git-branch-invalid', { branch: ref })
  if (commit !== '' && !isCommit(commit)) throw new StepFailure('agents-commit-unknown', { commit })

  const { depth } = ctx.step
  // a server that does not support submodules does not send whether they come from a fork either
  const given: Partial<typeof ctx.step> = ctx.step
  if (!ctx.adopted) ctx.say(`Fetching ${commit === '' ? ref : `${commit} of ${ref}`} from ${url}`)
  const route = ssh ? undefined : await ctx.executor.route(new URL(url))
  const ca = ctx.ca === undefined ? undefined : [...rootCertificates, ctx.ca].join('\n')
  const pathOf = (file: string): string => ctx.executor.pathOf(ctx.room, ctx.index, file)
  const ended = await runCommand(ctx, {
    shell: 'sh',
    script: checkoutScript,
    files: { ...(ca !== undefined && { ca }), ...(ssh && (await sshFiles(ctx, ssh, repository, pathOf))) },
    environment: [
      ...gitEnvironment(
        { ...repository, proxy: undefined, ...route },
        { ca: ca === undefined ? undefined : pathOf('ca'), sshConfig: ssh && pathOf('ssh-config') },
      ),
      { name: 'GANTRY_GIT_BRANCH', value: branch },
      { name: 'GANTRY_GIT_TAG', value: tag },
      { name: 'GANTRY_GIT_COMMIT', value: commit },
      { name: 'GANTRY_GIT_SUBMODULES', value: given.submodules ?? 'none' },
      { name: 'GANTRY_GIT_FORK', value: repository.fork ? 'yes' : '' },
      { name: 'GANTRY_GIT_DEPTH', value: depth === 0 ? '' : `--depth=${depth}` },
    ],
  })
  if (ended.how !== 'exit') return endedOtherwise(ctx, ended)
  if (ended.code !== 0) {
    // a reason is shown like a log, so it is masked like one
    const said = ctx.mask(endOf(spoolOf(ctx.room, ctx.index)))
    return { state: 'failed', exitCode: ended.code, reason: gitReason(ended.code, said, repository) }
  }
  const made = await readCommit(workOf(ctx.room))
  writeCheckedOut(ctx.room, made)
  ctx.report({ type: 'commit', commit: made.commit, message: ctx.mask(made.subject).slice(0, 1000) })
  return { ...success, exitCode: 0 }
}

/** The SSH files beside the script; the executor removes the key when the step has ended. */
async function sshFiles(
  { executor }: Pick<StepContext, 'executor'>,
  at: SshAddress,
  { privateKey, knownHosts }: { privateKey: string; knownHosts: string },
  pathOf: (file: string) => string,
): Promise<Record<string, string>> {
  const host = at.host.includes(':') ? `[${at.host}]` : at.host
  const { proxy } = await executor.route(new URL(`https://${host}:${at.port}/`))
  const by = proxy === undefined ? undefined : new URL(proxy)
  return {
    'known-hosts': `${knownHosts}\n`,
    'ssh-config': sshConfig({
      alias: knownAs(at),
      knownHosts: pathOf('known-hosts'),
      key: privateKey === '' ? undefined : pathOf(sshKey),
      proxy: by && pathOf('ssh-proxy'),
      learn: false,
    }),
    ...(privateKey !== '' && { [sshKey]: keyFile(privateKey) }),
    ...(by && { 'ssh-proxy': connectScript({ host: by.hostname, port: Number(by.port) }, `${host}:${at.port}`) }),
  }
}

async function readCommit(work: string): Promise<CheckedOut> {
  const file = await openFile(work, '.git/gantry-commit')
  try {
    const buffer = Buffer.alloc(16_384)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    const [commit = '', time = '', subject = ''] = buffer.toString('utf8', 0, bytesRead).split('\n')
    return { commit: isCommit(commit) ? commit : '', time: Number(time) || 0, subject }
  } finally {
    await file.close()
  }
}

function endOf(spool: string): string {
  const file = openSync(spool, 'r')
  try {
    const { size } = fstatSync(file)
    const buffer = Buffer.alloc(Math.min(size, 16_384))
    readSync(file, buffer, 0, buffer.length, size - buffer.length)
    return buffer.toString('utf8')
  } finally {
    closeSync(file)
  }
}
