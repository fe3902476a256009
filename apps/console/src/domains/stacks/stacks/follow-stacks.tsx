import { stackTopic } from '@gantry/contract/stacks/topics'
import { useEffect, useEffectEvent, useRef } from 'react'
import { usePush } from '../../../api/use-push.ts'

/** A rollout says much at once, in several stacks; all is read again so often at the most. */
const gatherMs = 1000

interface FollowStacksProps {
  ids: readonly number[]
  readAgain: () => unknown
}

/** Reads again when pods of one of these stacks come, go or change. */
export function FollowStacks({ ids, readAgain }: FollowStacksProps) {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const read = useEffectEvent(() => {
    waiting.current = undefined
    void readAgain()
  })
  const gather = () => {
    waiting.current ??= setTimeout(() => read(), gatherMs)
  }
  return [...new Set(ids)].map((id) => <FollowStack key={id} stackId={id} onChange={gather} />)
}

function FollowStack({ stackId, onChange }: { stackId: number; onChange: () => void }) {
  usePush([stackTopic], { stackId }, onChange)
  return null
}
