import { agentTerminalPath, terminalElsewhere } from '@gantry/contract/agents/terminals'
import { buildTerminalPath, terminalAccess, terminalParams } from '@gantry/contract/pipelines/terminals'
import { z } from 'zod'
import { closeCodes, type Sockets } from '../../../http/sockets/sockets.ts'
import { openTyped, type } from '../../../http/sockets/typed.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sendMessage } from '../../../kernel/flow.ts'
import { say, sayReason, sayTo } from '../../../kernel/phrase.ts'
import { awaitAgent, join, type Session } from './sessions.ts'
import { ask, findTarget, noteTarget } from './terminals.service.ts'
import { forgetTerminal } from './terminals.store.ts'

/** Longer output of an agent is cut, because a mask may be longer than what it hides. */
const longestOutput = 1024 * 1024

export const sockets: Sockets = (socket) => {
  socket(
    { path: buildTerminalPath, access: terminalAccess, params: terminalParams, audit: 'build.terminal' },
    async (ctx, ws, { params }) => {
      // opened first, so that input before the shell runs is kept
      const typed = openTyped(ws)
      const end = (code: number, message: string): void => ws.send(JSON.stringify({ type: 'exit', code, message }))
      let session: Session | undefined
      let late: NodeJS.Timeout | undefined
      try {
        const target = await findTarget(ctx, params)
        noteTarget(ctx, target)
        const id = await ask(ctx, target)
        try {
          session = await awaitAgent(ctx, { id, ...target })
        } finally {
          await forgetTerminal(ctx.db, id)
        }
        const { buildTerminalSeconds } = ctx.config
        let over = false
        late = setTimeout(() => {
          over = true
          session?.close()
        }, buildTerminalSeconds * 1_000)
        const { output, ended, close } = session
        ctx.signal.addEventListener('abort', close, { once: true })
        void type(typed.batches(), session)
        for await (const bytes of output) await sendMessage(ws, bytes)
        const result = await ended
        if (ctx.signal.aborted) return
        if (over)
          end(-1, say(ctx.lang, 'pipelines-terminal-time-over', { minutes: Math.ceil(buildTerminalSeconds / 60) }))
        else if (result) end(result.code, sayReason(ctx.lang, result.reason))
        else end(-1, say(ctx.lang, 'pipelines-terminal-agent-lost', { agent: target.agentName }))
      } catch (error) {
        if (ctx.signal.aborted) return
        if (!(error instanceof Fault)) throw error
        end(-1, sayTo(ctx, error))
      } finally {
        clearTimeout(late)
        session?.close()
        typed.end()
        if (!ctx.signal.aborted) ws.close(1000)
      }
    },
  )

  socket(
    {
      path: agentTerminalPath,
      access: 'agent',
      params: z.strictObject({ terminal: z.uuid() }),
      maxFrame: longestOutput,
    },
    (ctx, ws, { params }) => {
      const joined = join(ctx, params.terminal, ws)
      if (joined !== 'joined') ws.close(joined === 'elsewhere' ? terminalElsewhere : closeCodes.policy)
    },
  )
}
