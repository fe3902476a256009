import { followPath, terminalPath } from '@gantry/contract/stacks/containers/containers'
import { id, uuid } from '@gantry/contract/ids'
import { dnsLabel } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Sockets } from '../../../http/sockets/sockets.ts'
import { openTyped, type } from '../../../http/sockets/typed.ts'
import type { ExecSession } from '../../../adapters/kube/operations/exec.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sendMessage } from '../../../kernel/flow.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { findTarget, followLog, noteTarget, openTerminal } from './containers.service.ts'

const params = z.strictObject({ teamId: id, envId: uuid, podId: uuid, name: dnsLabel() })

/** Lines are sent in batches: after this time, or at this many lines or bytes. */
const flushMs = 50
const flushLines = 500
const flushLength = 256 * 1024

interface Line {
  at: string
  text: string
}

export const sockets: Sockets = (socket) => {
  socket(
    {
      path: followPath,
      access: { team: 'teamId', permission: 'stack_container_view' },
      params,
      query: z.strictObject({ quantity: z.coerce.number().int().min(0).max(5000).default(500) }),
    },
    async (ctx, ws, { params, query }) => {
      const target = await findTarget(ctx, params)
      let batch: Line[] = []
      let length = 0
      let leaving = Promise.resolve()
      const flush = () => {
        if (batch.length === 0) return
        leaving = sendMessage(ws, JSON.stringify({ lines: batch }))
        batch = []
        length = 0
      }
      const timer = setInterval(flush, flushMs)
      let end = ''
      try {
        for await (const line of followLog(ctx, target, query.quantity)) {
          batch.push({ at: line.at ?? '', text: line.text })
          length += line.text.length
          if (batch.length >= flushLines || length >= flushLength) flush()
          // wait, so that a browser that is slower than the log slows the reading down
          await leaving
        }
      } catch (error) {
        const fault = kubeFault(error)
        end = fault instanceof Fault ? sayTo(ctx, fault) : ''
        if (!(fault instanceof Fault) && !ctx.signal.aborted) ctx.log.warn({ err: error }, 'following a log ended')
      } finally {
        clearInterval(timer)
      }
      if (ctx.signal.aborted) return
      flush()
      ws.send(JSON.stringify({ end }))
      ws.close(1000)
    },
  )

  socket(
    {
      path: terminalPath,
      access: { team: 'teamId', permission: 'stack_container_execute' },
      params,
      audit: 'container.terminal',
    },
    async (ctx, ws, { params }) => {
      // opened first, so that input and window sizes before the shell runs are kept
      const typed = openTyped(ws)
      let session: ExecSession | undefined
      try {
        const target = await findTarget(ctx, params)
        noteTarget(ctx, target)
        session = await openTerminal(ctx, target)
        void type(typed.batches(), session)
        for await (const { bytes } of session.output) await sendMessage(ws, bytes)
        const { code, message } = await session.ended
        ws.send(JSON.stringify({ type: 'exit', code, message }))
      } catch (error) {
        if (ctx.signal.aborted) return
        const fault = kubeFault(error)
        if (!(fault instanceof Fault)) throw error
        ws.send(JSON.stringify({ type: 'exit', code: -1, message: sayTo(ctx, fault) }))
      } finally {
        session?.close()
        typed.end()
        if (!ctx.signal.aborted) ws.close(1000)
      }
    },
  )
}
