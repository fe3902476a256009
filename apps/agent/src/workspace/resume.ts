import type { AgentEvent, Work } from '../protocol.ts'
import type { KeptWorkspaces } from './kept.ts'
import { continuedFrom, type Workspace } from './workspace.ts'

/**
 * Moves a kept workspace into the folder of a later attempt, and returns the attempt that it is from. A job whose
 * earlier stages have passed continues in their workspace, or not at all. A checkout that is still to come creates its
 * own repository.
 */
export async function takeWorkspace(
  kept: KeptWorkspaces | undefined,
  work: Work,
  room: Workspace,
): Promise<number | undefined> {
  const { workspace, resume } = work
  if (!resume || resume.passed.length === 0) return workspace ? kept?.take(room, workspace) : undefined
  const fetches = work.stages
    .flatMap((stage) => stage.steps)
    .some(({ type }, at) => type === 'checkout' && !resume.passed.includes(work.firstStep + at))
  return kept?.take(room, resume.workspace, { git: !fetches })
}

/**
 * Keeps the workspace of an unsuccessful job for its next attempt; the whole of it if an earlier stage has passed,
 * because that attempt may continue there.
 */
export async function keepWorkspace(
  kept: KeptWorkspaces | undefined,
  { workspace, resume, stages, firstStep }: Work,
  room: Workspace,
  events: readonly AgentEvent[],
): Promise<void> {
  const end = events.findLast((event) => event.type === 'end')
  if (!end || end.state === 'success' || end.reason?.key === 'agents-workspace-gone') return
  const second = firstStep + (stages[0]?.steps.length ?? 0)
  const cameLater = events.some((event) => event.type === 'step' && event.state === 'building' && event.step >= second)
  const goesOn = resume && resume.passed.length > 0 && continuedFrom(room) !== undefined
  if (resume && (cameLater || goesOn)) await kept?.keep(room, resume.workspace, true)
  else if (workspace && end.state === 'failed') await kept?.keep(room, workspace)
}

/** A line for the log about how a later attempt begins; '' if there is nothing to say. */
export function beginningOf({ workspace, resume, stages, firstStep, attempt }: Work, from: number | undefined): string {
  if (resume && resume.passed.length > 0) {
    let at = firstStep
    const names = stages.flatMap(({ name, steps }) => {
      at += steps.length
      return resume.passed.includes(at - 1) ? [name] : []
    })
    return `Goes on with the workspace of attempt ${from}, in which these stages have passed: ${names.join(', ')}`
  }
  const gone = resume?.gone
    ? ['Runs from the first stage: the workspace in which earlier stages had passed is not there any more']
    : []
  const note =
    from === undefined
      ? 'Begins with an empty workspace: this agent has kept none of an earlier attempt'
      : `Begins with the workspace of attempt ${from}`
  return [...gone, ...(workspace && attempt > 1 ? [note] : [])].join('. ')
}
