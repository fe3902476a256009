import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { CheckoutStep } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'
import { openFile } from '../files.ts'
import { masked } from '../mask.ts'
import { StepFailure } from '../reasons.ts'
import { type CheckedOut, spoolOf, workOf, writeCheckedOut } from '../workspace.ts'
import { checkoutScript, gitEnvironment, gitReason, isCommit, isRefName } from './git.ts'
import { endedOtherwise, runCommand } from './script.ts'
import { success, type StepContext, type StepResult } from './step.ts'

/**
 * Clones into the workspace as the step's own user. It is a script like a user's, so that it is isolated, stopped and adopted
 * like one; git has the password in its environment, and no file of the workspace does.
 */
export async function runCheckout(ctx: StepContext<z.output<typeof CheckoutStep>>): Promise<StepResult> {
  const { repository } = ctx.work
  if (repository === null) throw new StepFailure('agents-no-repository')
  const { url, branch, tag, commit } = repository
  const ref = tag === '' ? branch : tag
  if (!/^https?:\/\/[^\s\\]+$/i.test(url)) throw new StepFailure('git-not-found', { url })
  if (!isRefName(ref)) throw new StepFailure('git-branch-invalid', { branch: ref })
  if (commit !== '' && !isCommit(commit)) throw new StepFailure('agents-commit-unknown', { commit })

  const { depth } = ctx.step
  if (!ctx.adopted) ctx.say(`Fetching ${commit === '' ? ref : `${commit} of ${ref}`} from ${url}`)
  const route = await ctx.executor.route(new URL(url))
  const ca = ctx.ca === undefined ? {} : { ca: [...rootCertificates, ctx.ca].join('\n') }
  const ended = await runCommand(ctx, {
    shell: 'sh',
    script: checkoutScript,
    files: ca,
    environment: [
      ...gitEnvironment(
        { ...repository, ...route },
        ctx.ca === undefined ? undefined : ctx.executor.shown(ctx.room, ctx.index, 'ca'),
      ),
      { name: 'GANTRY_GIT_BRANCH', value: branch },
      { name: 'GANTRY_GIT_TAG', value: tag },
      { name: 'GANTRY_GIT_COMMIT', value: commit },
      { name: 'GANTRY_GIT_DEPTH', value: depth === 0 ? '' : `--depth=${depth}` },
    ],
  })
  if (ended.how !== 'exit') return endedOtherwise(ctx, ended)
  if (ended.code !== 0) {
    // a reason is shown like a log, and masked like one
    const said = masked(endOf(spoolOf(ctx.room, ctx.index)), ctx.work.masked)
    return { state: 'failed', exitCode: ended.code, reason: gitReason(ended.code, said, repository) }
  }
  const made = await readCommit(workOf(ctx.room))
  writeCheckedOut(ctx.room, made)
  ctx.report({ type: 'commit', commit: made.commit, message: made.subject.slice(0, 1000) })
  return { ...success, exitCode: 0 }
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
