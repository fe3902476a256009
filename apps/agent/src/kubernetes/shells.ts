import type { Work } from '../protocol.ts'
import { reason, StepFailure } from '../reasons.ts'
import { containerScript, killScript } from '../terminals/script.ts'
import type { OpenShell } from '../terminals/terminals.ts'
import { type Api, ApiRefusal } from './api.ts'
import type { Pod } from './causes.ts'
import { containers } from './manifest.ts'
import { shownInside } from './runner-script.ts'

type PodOf = (job: Pick<Work, 'jobId' | 'attempt'>) => Promise<Pod | undefined>

/** The exit code of a shell that was killed, as the shells in a step's container are when the step ends. */
const killed = 137

/** Opens shells in the pods of running jobs, in the container of the step. A job that has ended leaves no files. */
export function shellsOfPods(api: Api, podOf: PodOf): OpenShell {
  return async (request, room) => {
    const pod = room && request.step !== null ? await podOf(request) : undefined
    if (pod === undefined) throw new StepFailure('agents-terminal-step-over')
    const steps = pod.status?.initContainerStatuses?.find(({ name }) => name === containers.steps)
    if (steps?.state?.running === undefined) throw new StepFailure('agents-terminal-step-waits')
    const { name } = pod.metadata
    const run = (script: string, ...words: string[]) =>
      api.exec(name, containers.steps, ['/bin/sh', '-c', script, 'sh', ...words])
    const environment = `${shownInside}/steps/${request.step}/environment`
    const piped = await run(containerScript(request.id), environment).catch((cause: unknown) => {
      if (!(cause instanceof ApiRefusal)) throw cause
      throw cause.status === 403
        ? new StepFailure('agents-terminal-role', { why: cause.message })
        : new StepFailure('agents-terminal-failed', { why: cause.message })
    })
    let over = false
    void piped.ended.then(() => (over = true))
    return {
      piped,
      hidden: [],
      why: async (code) => (code === killed || code < 0 ? reason('agents-terminal-step-ended') : null),
      async close() {
        if (over) return
        over = true
        // a pod that is gone has no processes
        await run(killScript(request.id))
          .then((killing) => killing.ended)
          .catch(() => {})
        piped.kill()
      },
    }
  }
}
