import { createServer, type Server } from 'node:net'
import type { Slot } from './workspace/workspace.ts'

/** The agent's slots. A slot's user is its own on this machine: no other agent's slot has it at the same time. */
export interface Slots {
  take: () => Slot | undefined
  /** Takes the slot of a build that an earlier agent process started. */
  retake: (slot: Slot) => void
  free: (slot: Slot) => void
  readonly idle: number
}

/** `first`: the number of the first slot, if other slots have lower numbers. */
export async function openSlots(
  capacity: number,
  firstUid: number | undefined,
  kept: Slot[],
  first = 0,
): Promise<Slots> {
  const idle: Slot[] = []
  const taken: Slot[] = []
  let next = firstUid
  for (let index = first; index < first + capacity; index++) {
    const before = kept.find((slot) => slot.index === index)
    if (next === undefined) idle.push({ index })
    else if (before?.uid !== undefined && (await reserve(before.uid))) idle.push(before)
    else {
      while (!(await reserve(next))) next++
      idle.push({ index, uid: next++ })
    }
  }
  return {
    take() {
      const slot = idle.shift()
      if (slot !== undefined) taken.push(slot)
      return slot
    },
    retake(slot) {
      const at = idle.findIndex(({ index }) => index === slot.index)
      if (at >= 0) taken.push(...idle.splice(at, 1))
    },
    free(slot) {
      const at = taken.findIndex(({ index }) => index === slot.index)
      if (at >= 0) idle.push(...taken.splice(at, 1))
    },
    get idle() {
      return idle.length
    },
  }
}

const reservations: Server[] = []

/** Reserves a user by an abstract socket, which the kernel frees when this process ends in whatever way. */
function reserve(uid: number): Promise<boolean> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((done, failed) => {
    server.once('error', (cause: NodeJS.ErrnoException) => (cause.code === 'EADDRINUSE' ? done(false) : failed(cause)))
    server.listen({ path: `\0gantry-agent-uid-${uid}` }, () => {
      server.unref()
      reservations.push(server)
      done(true)
    })
  })
}
