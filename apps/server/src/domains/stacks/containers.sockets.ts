import { followPath, terminalPath } from '@gantry/contract/stacks/containers'
import { id, uuid } from '@gantry/contract/ids'
import { dnsLabel } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Sockets } from '../../http/sockets.ts'
import type { ExecSession } from '../../adapters/kube/exec.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import { Fault } from '../../kernel/fault.ts'
import { sayTo } from '../../kernel/phrase.ts'
import { findTarget, followLog, noteTarget, openTerminal } from './containers.service.ts'

const params = z.strictObject({ teamId: id, envId: uuid, podId: uuid, name: dnsLabel() })

/** Lines are sent together, at most this often. */
const flushMs = 50
const flushLines = 500
/** A browser that reads slower than the log is written holds up the reading, not the server's memory. */
const maxBuffered = 1024 * 1024
/** Frames that wait for the shell to be there: keys of some seconds, a paste. */
const mostEarly = 100

const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input'), data: z.string().max(64 * 1024) }),
  z.object({
    type: z.literal('resize'),
    columns: z.number().int().min(1).max(1000),
    rows: z.number().int().min(1).max(1000),
  }),
])

type TerminalFrame = z.infer<typeof Frame>

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
      const flush = () => {
        if (batch.length > 0) ws.send(JSON.stringify({ lines: batch }))
        batch = []
      }
      const timer = setInterval(flush, flushMs)
      let end = ''
      try {
        for await (const line of followLog(ctx, target, query.quantity)) {
          batch.push({ at: line.at ?? '', text: line.text })
          if (batch.length >= flushLines) flush()
          while (ws.bufferedAmount > maxBuffered && !ctx.signal.aborted)
            await new Promise((resolve) => setTimeout(resolve, flushMs))
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
      // before anything is waited for: what is typed, and how large the window is, before the shell is there is not lost
      const early: TerminalFrame[] = []
      let session: ExecSession | undefined
      const pass = (to: ExecSession, frame: TerminalFrame) =>
        frame.type === 'resize' ? to.resize(frame.columns, frame.rows) : void to.write(frame.data)
      ws.on('message', (data) => {
        // what still comes while it closes is typed by nobody
        if (ws.readyState !== ws.OPEN) return
        const frame = readFrame(String(data))
        if (frame === undefined) ws.close(1008)
        else if (session) pass(session, frame)
        else if (early.push(frame) > mostEarly) ws.close(1008)
      })
      try {
        const target = await findTarget(ctx, params)
        noteTarget(ctx, target)
        session = await openTerminal(ctx, target)
        for (const frame of early) pass(session, frame)
        for await (const { bytes } of session.output) {
          ws.send(bytes)
          while (ws.bufferedAmount > maxBuffered && !ctx.signal.aborted)
            await new Promise((resolve) => setTimeout(resolve, flushMs))
        }
        const { code, message } = await session.ended
        ws.send(JSON.stringify({ type: 'exit', code, message }))
      } catch (error) {
        if (ctx.signal.aborted) return
        const fault = kubeFault(error)
        if (!(fault instanceof Fault)) throw error
        ws.send(JSON.stringify({ type: 'exit', code: -1, message: sayTo(ctx, fault) }))
      } finally {
        session?.close()
        if (!ctx.signal.aborted) ws.close(1000)
      }
    },
  )
}

function readFrame(text: string): TerminalFrame | undefined {
  try {
    return Frame.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
